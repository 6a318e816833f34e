// SPDX-License-Identifier: MIT
// Reports of columns that were solved for in turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "heatfront/solve/solver.h"

namespace heatfront {

inline void add_report(SolveReport& whole, const SolveReport& part) {
  whole.products = std::max(whole.products, part.products);
  whole.steps = std::max(whole.steps, part.steps);
  whole.rejected = std::max(whole.rejected, part.rejected);
  whole.error_bound = std::fmax(whole.error_bound, part.error_bound);
  whole.error_estimate = std::fmax(whole.error_estimate, part.error_estimate);
  whole.residual = std::fmax(whole.residual, part.residual);
  whole.least_residual = std::fmax(whole.least_residual, part.least_residual);
  whole.largest_move = std::fmax(whole.largest_move, part.largest_move);
  whole.reached = whole.reached && part.reached;
  whole.seconds += part.seconds;
}

// Relative to the column at the start.
inline double column_error(const SolveReport& report, std::int64_t c) {
  constexpr double kForEstimates = 2;
  return report.column_bounds.empty() ? kForEstimates * report.error_estimate : report.column_bounds[at(c)];
}

}  // namespace heatfront
