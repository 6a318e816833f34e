// SPDX-License-Identifier: MIT
// What is said of every node, as arrays.
#pragma once

#include <memory>

#include "heatfront/flow/decide.h"

namespace heatfront::python {

struct PythonAnswer {
  std::shared_ptr<const Answer> answer;
};

}  // namespace heatfront::python
