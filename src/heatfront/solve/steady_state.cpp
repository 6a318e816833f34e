// SPDX-License-Identifier: MIT
#include "heatfront/solve/steady_state.h"

#include <algorithm>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/conjugate_gradient.h"

namespace heatfront {

std::vector<double> residual_scales(const Operator& a, ConstMatrixView state, MatrixView residual) {
  Matrix clamped(state.rows, state.cols, state.stride);
  for (std::int64_t u = 0; u < state.rows; ++u) {
    if (a.clamped(u)) std::ranges::copy(state.row(u), clamped.row(u).begin());
  }
  a.apply({}, clamped, residual, {});
  std::vector<double> scales = column_norms(a, residual);
  a.apply({}, state, residual, {});
  const std::vector<double> at_start = column_norms(a, residual);
  for (std::size_t c = 0; c < scales.size(); ++c) {
    if (scales[c] == 0) scales[c] = at_start[c];
  }
  return scales;
}

SolveReport SteadyState::solve(const Operator& a, MatrixView state) {
  const Stopwatch watch;
  Matrix residual(state.rows, state.cols, state.stride);
  const std::vector<double> scales = residual_scales(a, state, residual);
  std::vector<double> targets = scales;
  for (double& target : targets) target *= tolerance_;
  ConjugateGradient systems(a, 0, 1);
  SolveReport report{.products = 2, .residual = worst_ratio(column_norms(a, residual), scales)};
  // The residual that conjugate gradients carry along drifts from the true one by rounding: begin again from
  // the true one until it is small enough or no longer gets much smaller.
  for (double last = 2 * report.residual; report.residual > tolerance_ && report.residual <= last / 2;) {
    last = report.residual;
    report.products += systems.solve(residual, state, targets).products + 1;
    ++report.steps;
    a.apply({}, state, residual, {});
    report.residual = worst_ratio(column_norms(a, residual), scales);
  }
  report.reached = report.residual <= tolerance_;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace heatfront
