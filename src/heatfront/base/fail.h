// SPDX-License-Identifier: MIT
// fail("{}:{}: {} columns, but line 1 has {}", …) throws the Error with that text. For source files only:
// public headers do without fmt.
#pragma once

#include <fmt/core.h>

#include <utility>

#include "heatfront/base/error.h"

namespace heatfront {

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace heatfront
