// SPDX-License-Identifier: MIT
// What is said of every node, as arrays.
#pragma once

#include <memory>

#include "heatfront/flow/decide.h"
#include "heatfront/models/targets/target_predictor.h"

namespace heatfront::python {

struct PythonAnswer {
  std::shared_ptr<const Answer> answer;
  double seconds = 0;  // of a flow at one time: from graph and labels to temperatures
};

// Of values, or of many labels.
struct PythonTargetAnswer {
  std::shared_ptr<const TargetAnswer> answer;
};

}  // namespace heatfront::python
