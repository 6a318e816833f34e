// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heatfront/base/options.h"

namespace heatfront {

struct MlpOptions {
  std::vector<std::int64_t> hidden = {64};  // widths of the hidden layers
  std::vector<double> dropout = {0.5};      // one for each hidden layer, or one for all
  std::string activation = "relu";
  std::string initialiser = "kaiming";
};

OptionFields fields(MlpOptions& options);

}  // namespace heatfront
