// SPDX-License-Identifier: MIT
#include "heatfront/solve/chebyshev.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/chebyshev_series.h"

namespace heatfront {
namespace {

// Any width above 0 will do for an operator that is zero; 1/h must be a Real.
double half_width(const Operator& a) { return std::max(-a.lowest() / 2, 1e-30); }

// X = A/h + 1 and 2X as steps: the first and the later ones of the recurrence.
Step first_step(double h) { return {.alpha = 1 / h, .beta = 1}; }
Step later_step(double h) { return {.alpha = 2 / h, .beta = 2, .gamma = -1}; }

// The cut whose error stays below the tolerance together with rounding, where there is room for both.
ChebyshevCut choose_cut(const Operator& a, double time, double tolerance) {
  const double tau = half_width(a) * time;
  const double rounding = rounding_error(a, time, cut_series(tau, tolerance, a.clamps()).degree());
  return cut_series(tau, std::max(tolerance - rounding, tolerance / 4), a.clamps());
}

SolveReport report_for(const ChebyshevCut& cut, double tolerance, const Operator& a, double time) {
  return {.products = cut.degree(),
          .steps = 1,
          .error_bound = cut.error_bound + rounding_error(a, time, cut.degree()),
          .reached = cut.error_bound <= tolerance};
}

}  // namespace

SolveReport Chebyshev::solve(const Operator& a, double time, MatrixView state, Trace* trace) {
  const Stopwatch watch;
  const double h = half_width(a);
  const ChebyshevCut cut = choose_cut(a, time, tolerance_);
  const std::span<const double> c = cut.coefficients;
  Threads& threads = a.threads();
  if (trace != nullptr)
    trace->states.resize(trace->for_operator ? static_cast<std::size_t>(cut.degree()) : 0);
  const auto keep = [&](std::size_t k, ConstMatrixView t_k) {
    if (trace == nullptr || k >= trace->states.size()) return;
    shape_like(trace->states[k], t_k);
    copy(t_k, trace->states[k], threads);
  };

  shape_like(ahead_, state);
  shape_like(behind_, state);
  copy(state, behind_, threads);
  keep(0, behind_);
  if (a.clamps()) {
    shape_like(start_, state);
    copy(state, start_, threads);
  }
  scale(c[0], state, threads);
  if (cut.degree() >= 1) {
    Step step = first_step(h);
    step.delta = c[1];
    a.apply(step, behind_, ahead_, state);
    keep(1, ahead_);
  }
  for (std::size_t k = 2; k < c.size(); ++k) {
    Step step = later_step(h);
    step.delta = c[k];
    a.apply(step, ahead_, behind_, state);
    std::swap(ahead_, behind_);
    keep(k, ahead_);
  }
  if (a.clamps()) {  // Σ c_k = 1 holds up to rounding; clamped rows are exact
    for (std::int64_t u = 0; u < state.rows; ++u) {
      if (a.clamped(u)) std::ranges::copy(start_.row(u), state.row(u).begin());
    }
  }
  SolveReport report = report_for(cut, tolerance_, a, time);
  report.seconds = watch.seconds();
  return report;
}

SolveReport Chebyshev::solve_many(const Operator& a, std::span<const double> times, ConstMatrixView start,
                                  std::span<const MatrixView> states) {
  assert(times.size() == states.size() && !times.empty());
  const Stopwatch watch;
  const double h = half_width(a);
  Threads& threads = a.threads();
  std::vector<ChebyshevCut> cuts;
  for (double time : times) cuts.push_back(choose_cut(a, time, tolerance_));
  const auto longest = std::ranges::max_element(cuts, {}, &ChebyshevCut::degree);

  shape_like(ahead_, start);
  shape_like(behind_, start);
  copy(start, behind_, threads);
  const auto add = [&](std::int64_t k, ConstMatrixView t_k) {
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      if (k <= cuts[i].degree())
        add_scaled(cuts[i].coefficients[static_cast<std::size_t>(k)], t_k, states[i], threads);
    }
  };
  add(0, behind_);
  if (longest->degree() >= 1) {
    a.apply(first_step(h), behind_, ahead_, {});
    add(1, ahead_);
  }
  for (std::int64_t k = 2; k <= longest->degree(); ++k) {
    a.apply(later_step(h), ahead_, behind_, {});
    std::swap(ahead_, behind_);
    add(k, ahead_);
  }
  for (std::int64_t u = 0; a.clamps() && u < start.rows; ++u) {
    if (!a.clamped(u)) continue;
    for (const MatrixView& state : states) std::ranges::copy(start.row(u), state.row(u).begin());
  }
  SolveReport report =
      report_for(*longest, tolerance_, a, times[static_cast<std::size_t>(longest - cuts.begin())]);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const double rounding = rounding_error(a, times[i], cuts[i].degree());
    report.error_bound = std::max(report.error_bound, cuts[i].error_bound + rounding);
  }
  report.seconds = watch.seconds();
  return report;
}

SolveReport Chebyshev::backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                                OperatorGradient* gradient) {
  if (gradient == nullptr && !a.clamps()) return solve(a, time, adjoint, nullptr);  // A is its own adjoint
  const Stopwatch watch;
  const double h = half_width(a);
  const ChebyshevCut cut = choose_cut(a, time, tolerance_);
  const std::span<const double> c = cut.coefficients;
  assert(gradient == nullptr || trace.states.size() == c.size() - 1);
  Threads& threads = a.threads();
  shape_like(start_, adjoint);
  copy(adjoint, start_, threads);  // G

  // ahead_ = A_{k+1}, behind_ = A_{k+2}; each pass turns behind_ into A_k.
  shape_like(ahead_, adjoint);
  shape_like(behind_, adjoint);
  add_scaled(c.back(), start_, ahead_, threads);
  for (std::size_t k = c.size() - 1; k-- > 0;) {
    const bool last = k == 0;
    // ∂X/∂A = 1/h; X T_0 enters once, X T_k twice.
    if (gradient != nullptr) a.add_gradient((last ? 1 : 2) / h, ahead_, trace.states[k], *gradient);
    Step step = later_step(h);
    if (last) step = {.alpha = 1 / h, .beta = 1, .gamma = -1};
    a.apply_adjoint(step, ahead_, behind_, {});
    add_scaled(c[k], start_, behind_, threads);
    std::swap(ahead_, behind_);
  }
  copy(ahead_, adjoint, threads);
  SolveReport report = report_for(cut, tolerance_, a, time);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace heatfront
