// SPDX-License-Identifier: MIT
#include "heatfront/solve/krylov.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/certificate.h"
#include "heatfront/solve/chebyshev_series.h"
#include "heatfront/solve/lanczos.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

constexpr double kOfOrthogonalising = 10;  // roundings of a vector, as large as A makes it

struct QuadratureNode {
  double at;
  double weight;
};

// Gauss' nodes on [0, length] are the eigenvalues of the Legendre polynomials' recurrence (Golub and Welsch).
std::vector<QuadratureNode> gauss_nodes(std::size_t count, double length) {
  std::vector<double> off_diagonal;
  for (std::size_t k = 1; k < count; ++k) {
    const double n = static_cast<double>(k);
    off_diagonal.push_back(n / std::sqrt(4 * n * n - 1));
  }
  const TridiagonalEigen eigen = decompose_tridiagonal(std::vector<double>(count), off_diagonal);
  std::vector<QuadratureNode> nodes;
  for (std::size_t k = 0; k < count; ++k) {
    nodes.push_back({length * (1 + eigen.values[k]) / 2, length * eigen.entry(0, k) * eigen.entry(0, k)});
  }
  return nodes;
}

// Exact up to the degree that a Chebyshev series of exp(sz), s in [0, length], needs.
std::vector<QuadratureNode> nodes_for(const Operator& a, double length, double tolerance) {
  const auto degree =
      static_cast<std::size_t>(cut_series(-a.lowest() / 2 * length, tolerance, false).degree());
  return gauss_nodes(degree / 2 + 1, length);
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

}  // namespace

SolveReport Krylov::solve(const Operator& a, double time, MatrixView state, Trace* trace) {
  admit("krylov", a);
  const Stopwatch watch;
  constexpr double kSlowest =
      1e-20;  // below it, vectors of the space are lost among the least numbers there are
  if (const double rate = -a.lowest(); rate > 0 && rate < kSlowest)
    fail(
        "solver krylov: weights as small as {:.1e} cannot be followed; take chebyshev, or larger weights and "
        "a shorter time",
        rate);
  if (trace != nullptr) *trace = {};
  const std::vector<double> norms = column_norms(a, state);
  const Certificate certificate(a, state);
  const double defect = product_rounding(a) - kOfOrthogonalising * kHalfUnit * a.lowest();
  std::vector<double> errors(norms.size()), truncations(norms.size());
  Matrix slope(state.rows, state.cols, state.stride);
  Lanczos lanczos;
  SolveReport report;
  for (double left = time; left > 0; ++report.steps) {
    a.apply({}, state, slope, {});
    const double step = lanczos.build(a, slope, 1, left, scaled(norms, tolerance_ * left / time));
    if (trace != nullptr) {
      shape_like(trace->states.emplace_back(), state);
      copy(state, trace->states.back(), a.threads());
      trace->steps.push_back(step);
    }
    lanczos.add(a, 1, step, state);
    const std::vector<double> bounds = lanczos.error_bounds(1, step, defect);
    const std::vector<double> exact = lanczos.error_bounds(1, step, 0);
    for (std::size_t c = 0; c < errors.size(); ++c) {
      errors[c] += bounds[c];
      truncations[c] += exact[c];
    }
    report.products += lanczos.products() + 1;
    left = step < left ? left - step : 0;
  }
  report.reached = worst_ratio(truncations, norms) <= tolerance_;
  certificate.certify(time, worst_ratio(errors, norms),
                      {.products = 1, .additions = 3 * static_cast<double>(report.products)}, state, report);
  report.seconds = watch.seconds();
  return report;
}

SolveReport Krylov::backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                             OperatorGradient* gradient) {
  admit("krylov", a);
  const Stopwatch watch;
  Threads& threads = a.threads();
  const std::vector<double> allowed = scaled(column_norms(a, adjoint), tolerance_);
  Matrix slope(adjoint.rows, adjoint.cols, adjoint.stride);
  Matrix free = slope, state = slope;  // a(s), u(t − s)
  Lanczos ahead, back;
  SolveReport report;
  for (std::size_t i = trace.steps.size(); i-- > 0; ++report.steps) {
    if (gradient != nullptr) {
      a.apply({}, trace.states[i], slope, {});
      const std::vector<double> norms = column_norms(a, trace.states[i]);
      ahead.build(a, slope, 1, trace.steps[i], scaled(norms, tolerance_ * trace.steps[i] / time));
      report.products += ahead.products() + 1;
    }
    for (double left = trace.steps[i]; left > 0;) {
      copy(adjoint, free, threads);
      clear_clamped_rows(a, free);
      const double step = back.build(a, free, 0, left, scaled(allowed, left / time));
      report.products += back.products();
      const auto adjoint_at = [&](int k, double s) {
        scale(0, free, threads);
        back.add(a, k, s, free);
      };
      for (const QuadratureNode& node :
           gradient != nullptr ? nodes_for(a, step, tolerance_) : std::vector<QuadratureNode>()) {
        adjoint_at(0, node.at);
        copy(trace.states[i], state, threads);
        ahead.add(a, 1, left - node.at, state);
        a.add_gradient(node.weight, free, state, *gradient);
      }
      if (a.clamps()) {
        adjoint_at(1, step);
        a.apply_adjoint({.gamma = 1}, free, adjoint, {});
        ++report.products;
      }
      adjoint_at(0, step);
      for_clamped_rows(a, [&](std::int64_t u) { std::ranges::copy(adjoint.row(u), free.row(u).begin()); });
      copy(free, adjoint, threads);
      left = step < left ? left - step : 0;
    }
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace heatfront
