// SPDX-License-Identifier: MIT
// Mean and deviation of what runs came to.
#pragma once

#include <span>

namespace heatfront {

// The deviation is that of a sample, √(Σ(x−mean)²/(n−1)); 0 for one value.
struct Spread {
  double mean = 0, deviation = 0;
};
Spread spread_of(std::span<const double> values);

}  // namespace heatfront
