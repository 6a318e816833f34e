// SPDX-License-Identifier: MIT
#include "heatfront/solve/jacobi.h"

#include <algorithm>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/solvers.h"
#include "heatfront/solve/steady_state.h"

namespace heatfront {

SolveReport Jacobi::solve(const Operator& a, MatrixView state) {
  constexpr std::int64_t kMostSweeps = 100'000, kPatience = 1000;  // sweeps in a row that bring nothing new
  admit("jacobi", a);
  const Stopwatch watch;
  const std::vector<Real> inverse = inverse_diagonal(a, 0, 1);
  Matrix residual(state.rows, state.cols, state.stride);
  const std::vector<double> scales = residual_scales(a, state, residual);
  const auto worst = [&] {
    const std::vector<double> norms = column_norms(a, residual);
    return worst_ratio(std::span(norms).first(norms.size() - witnesses_), scales);
  };
  SolveReport report{.products = 2, .residual = worst()};
  double best = report.residual;
  for (std::int64_t idle = 0;
       report.residual > tolerance_ && idle < kPatience && report.steps < kMostSweeps;) {
    scale_rows(inverse, residual, a.threads());
    add_scaled(1, residual, state, a.threads());
    a.apply({}, state, residual, {});
    ++report.steps;
    ++report.products;
    report.residual = worst();
    idle = report.residual < best ? 0 : idle + 1;
    best = std::min(best, report.residual);
  }
  report.largest_move = largest_move(a, residual);
  report.reached = report.residual <= tolerance_;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace heatfront
