// SPDX-License-Identifier: MIT
#include "heatfront/solve/steady_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/conjugate_gradient.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {

std::vector<double> residual_scales(const Operator& a, ConstMatrixView state, MatrixView residual) {
  Matrix clamped(state.rows, state.cols, state.stride);
  for_clamped_rows(a, [&](std::int64_t u) { std::ranges::copy(state.row(u), clamped.row(u).begin()); });
  a.apply({}, clamped, residual, {});
  std::vector<double> scales = column_norms(a, residual);
  a.apply({}, state, residual, {});
  const std::vector<double> at_start = column_norms(a, residual);
  for (std::size_t c = 0; c < scales.size(); ++c) {
    if (scales[c] == 0) scales[c] = at_start[c];
  }
  return scales;
}

namespace {

constexpr std::int64_t kRoundedRows = 4096;  // that a thread takes at once

// What rounding alone leaves of the residual of the exact answer, in every column: half a unit in the last place of
// each number, times the diagonal.
std::vector<double> rounding_residuals(const Operator& a, ConstMatrixView state) {
  const std::span<const Real> outflow = a.outflow();
  Matrix rounding(state.rows, state.cols, state.stride);
  a.threads().for_blocks(state.rows, kRoundedRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      const Real unit = outflow[at(u)] * std::numeric_limits<Real>::epsilon() / 2;
      for (std::int64_t c = 0; c < state.cols; ++c) rounding(u, c) = unit * state(u, c);
    }
  });
  clear_clamped_rows(a, rounding);
  return column_norms(a, rounding);
}

// The larger one; what is no number counts as the largest.
template <class Number>
Number not_below(Number x, Number y) {
  return y <= x ? x : y;
}

// The largest |x| of all columns and rows, each row divided by its part of `divisors` if there are such.
double largest(const Operator& a, ConstMatrixView x, std::span<const Real> divisors = {}) {
  std::vector<double> parts(at((x.rows + kRoundedRows - 1) / kRoundedRows));
  a.threads().for_blocks(x.rows, kRoundedRows, [&](std::int64_t begin, std::int64_t end) {
    double& most = parts[at(begin / kRoundedRows)];
    for (std::int64_t u = begin; u < end; ++u) {
      Real here = 0;
      for (std::int64_t c = 0; c < x.cols; ++c) here = not_below(here, std::abs(x(u, c)));
      const double divisor = divisors.empty() ? 1 : static_cast<double>(divisors[at(u)]);
      if (here != 0) most = not_below(most, static_cast<double>(here) / divisor);
    }
  });
  double most = 0;
  for (double part : parts) most = not_below(most, part);
  return a.ranks().largest(most);
}

// The norm of the residual does not see nodes whose weights are tiny beside those of others. Here every node counts alike:
// where one is far from the mean of its neighbours, relative to the largest number at the start, which no state at rest
// exceeds, nodes take those means for a while. `residual` is A u, and stays so. Returns the products; `move` ← how far
// from its mean a node still is.
std::int64_t settle_each(const Operator& a, double tolerance, double size, MatrixView residual,
                         MatrixView state, double& move) {
  constexpr double kFarFromRest = 1000;  // tolerances
  constexpr std::int64_t kMostSweeps = 100;
  move = largest_move(a, residual);
  if (move <= kFarFromRest * tolerance * size) return 0;
  const Real most = static_cast<Real>(size);
  const std::span<const Real> outflow = a.outflow();
  std::int64_t sweeps = 0;
  for (; sweeps < kMostSweeps && !(move <= tolerance * size); ++sweeps) {
    for (std::int64_t u = 0; u < state.rows; ++u) {
      const auto diagonal = static_cast<double>(outflow[at(u)]);
      for (std::int64_t c = 0; c < state.cols && diagonal > 0; ++c) {
        const double mean = static_cast<double>(state(u, c)) + static_cast<double>(residual(u, c)) / diagonal;
        state(u, c) = std::isnan(mean) ? Real(0) : std::clamp(static_cast<Real>(mean), -most, most);
      }
    }
    if (!std::isfinite(move))
      std::fill_n(residual.data, residual.rows * residual.stride, Real(0));  // NaN would stay
    a.apply({}, state, residual, {});
    move = largest_move(a, residual);
  }
  return sweeps;
}

}  // namespace

double largest_move(const Operator& a, ConstMatrixView residual) { return largest(a, residual, a.outflow()); }

SolveReport SteadyState::solve(const Operator& a, MatrixView state) {
  admit("cg", a);
  const Stopwatch watch;
  const double size = largest(a, state);
  Matrix residual(state.rows, state.cols, state.stride);
  const std::vector<double> scales = residual_scales(a, state, residual);
  const auto worst = [&](const std::vector<double>& norms) {
    return worst_ratio(std::span(norms).first(norms.size() - witnesses_), scales);
  };
  std::vector<double> targets = scales;
  for (double& target : targets) target *= tolerance_;
  ConjugateGradient systems(a, 0, 1);
  SolveReport report{.products = 2, .residual = worst(column_norms(a, residual))};
  // The residual that conjugate gradients carry along drifts from the true one by rounding: begin again from
  // the true one until it is small enough, or near the least there is, or no longer gets much smaller.
  double enough = tolerance_;
  for (double last = 2 * report.residual;
       std::isfinite(report.residual) && report.residual > enough && report.residual <= last / 2;) {
    last = report.residual;
    report.products += systems.solve(residual, state, targets, witnesses_).products + 1;
    ++report.steps;
    a.apply({}, state, residual, {});
    report.residual = worst(column_norms(a, residual));
    report.least_residual = worst(rounding_residuals(a, state));
    enough = std::max(tolerance_, 2 * report.least_residual);
  }
  if (const std::int64_t sweeps = settle_each(a, tolerance_, size, residual, state, report.largest_move);
      sweeps > 0) {
    report.products += sweeps;
    report.residual = worst(column_norms(a, residual));
  }
  report.reached = report.residual <= tolerance_;
  report.seconds = watch.seconds();
  return report;
}

}  // namespace heatfront
