// SPDX-License-Identifier: MIT
#include "heatfront_experiment/compare/spread.h"

#include <cmath>

namespace heatfront {

Spread spread_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Spread spread;
  for (double value : values) spread.mean += value / n;
  double squares = 0;
  for (double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.deviation = std::sqrt(squares / (n - 1));
  return spread;
}

}  // namespace heatfront
