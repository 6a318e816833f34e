// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "heatfront/base/error.h"

namespace heatfront::test {

// The line that the user would see, or "" if nothing went wrong.
template <class Action>
std::string error_text(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace heatfront::test
