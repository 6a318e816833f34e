// SPDX-License-Identifier: MIT
#include "heatfront/solve/runge_kutta.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/equal_steps.h"
#include "heatfront/solve/stability.h"
#include "heatfront/solve/step_control.h"

namespace heatfront {
namespace {

// The error estimate of a step is made of rounding errors alone below this tolerance.
constexpr double kFinestTolerance = 8 * static_cast<double>(std::numeric_limits<Real>::epsilon());

void keep(Trace* trace, ConstMatrixView state, double step, Threads& threads) {
  if (trace == nullptr) return;
  shape_like(trace->states.emplace_back(), state);
  copy(state, trace->states.back(), threads);
  trace->steps.push_back(step);
}

}  // namespace

RungeKutta::RungeKutta(const Tableau& tableau, const SolveOptions& options)
    : tableau_(tableau), options_(options), r_(stability_coefficients(tableau)), powers_(r_.size()) {}

SolveReport RungeKutta::solve(const Operator& a, double time, MatrixView state, Trace* trace) {
  const Stopwatch watch;
  if (trace != nullptr) *trace = {};
  if (time == 0) return {.error_bound = 0};
  for (Matrix& power : powers_) shape_like(power, state);
  const bool adaptive = tableau_.error != StageWeights{};
  SolveReport report =
      adaptive ? take_adaptive_steps(a, time, state, trace) : take_equal_steps(a, time, state, trace);
  report.error_bound += rounding_error(report.products);
  report.seconds = watch.seconds();
  return report;
}

SolveReport RungeKutta::take_adaptive_steps(const Operator& a, double time, MatrixView state, Trace* trace) {
  Threads& threads = a.threads();
  const StepControl control(std::max(options_.tolerance, kFinestTolerance), tableau_.order);
  Amplification amplification(polynomial(r_), a.lowest(), time);
  std::vector<double> error_weights = error_coefficients(tableau_);
  error_weights.push_back(0);
  assert(error_weights.size() == powers_.size() + 1);
  shape_like(slope_, state);
  shape_like(next_slope_, state);
  SolveReport report{.reached = options_.tolerance >= kFinestTolerance};

  a.apply({}, state, slope_, {});
  a.apply({}, slope_, powers_[1], {});
  report.products = 2;
  double step = control.first_step(a, state, slope_, powers_[1]);
  copy(state, powers_[0], threads);
  for (double now = 0; now < time;) {
    const bool last = now + step >= time;
    const double h = last ? time - now : step;
    copy(slope_, powers_[1], threads);
    scale(h, powers_[1], threads);
    add_scaled(r_[1], powers_[1], state, threads);
    for (std::size_t j = 2; j < r_.size(); ++j) {
      a.apply({.alpha = h, .delta = r_[j]}, powers_[j - 1], powers_[j], state);
    }
    a.apply({}, state, next_slope_, {});
    report.products += std::ssize(r_) - 1;

    std::vector<ConstMatrixView> parts(powers_.begin(), powers_.end());
    parts.push_back(next_slope_);
    error_weights.back() = h * tableau_.error[tableau_.stages - 1];
    const double ratio = control.error_ratio(a, error_weights, parts, powers_[0], state);
    if (ratio <= 1) {
      keep(trace, powers_[0], h, threads);
      amplification.take(h);
      now = last ? time : now + h;
      ++report.steps;
      std::swap(slope_, next_slope_);
      copy(state, powers_[0], threads);
    } else {
      ++report.rejected;
      copy(powers_[0], state, threads);
    }
    step = control.next_step(h, ratio);
    if (report.steps + report.rejected >= kMostSteps || now + step == now) {
      fail("{}: still at time {:.4g} of {} after {} steps; chebyshev takes any time", tableau_.name, now, time,
           report.steps + report.rejected);
    }
  }
  report.error_bound = amplification.error_bound(a.clamps());
  return report;
}

SolveReport RungeKutta::take_equal_steps(const Operator& a, double time, MatrixView state, Trace* trace) {
  const EqualSteps plan = plan_equal_steps({tableau_.name, polynomial(r_)}, options_, a, time);
  for (std::int64_t i = 0; i < plan.count; ++i) {
    keep(trace, state, plan.step, a.threads());
    copy(state, powers_[0], a.threads());
    for (std::size_t j = 1; j < r_.size(); ++j) {
      a.apply({.alpha = plan.step, .delta = r_[j]}, powers_[j - 1], powers_[j], state);
    }
  }
  return {.products = plan.count * (std::ssize(r_) - 1),
          .steps = plan.count,
          .error_bound = plan.error_bound,
          .reached = plan.error_bound <= options_.tolerance};
}

SolveReport RungeKutta::backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                                 OperatorGradient* gradient) {
  assert(time == 0 || !trace.steps.empty());
  const Stopwatch watch;
  Threads& threads = a.threads();
  SolveReport report{.error_bound = 0};
  for (Matrix& power : powers_) shape_like(power, adjoint);
  Matrix& ahead = slope_;   // a_{j+1}
  Matrix& own = next_slope_;  // a_j
  shape_like(ahead, adjoint);
  shape_like(own, adjoint);
  Amplification amplification(polynomial(r_), a.lowest(), time);
  for (std::size_t i = trace.steps.size(); i-- > 0;) {
    const double h = trace.steps[i];
    copy(trace.states[i], powers_[0], threads);
    for (std::size_t j = 1; gradient != nullptr && j + 1 < r_.size(); ++j, ++report.products) {
      a.apply({.alpha = h}, powers_[j - 1], powers_[j], {});
    }
    copy(adjoint, ahead, threads);
    scale(r_.back(), ahead, threads);
    for (std::size_t j = r_.size() - 1; j-- > 0; ++report.products) {
      if (gradient != nullptr) a.add_gradient(h, ahead, powers_[j], *gradient);
      copy(adjoint, own, threads);
      a.apply_adjoint({.alpha = h, .gamma = r_[j]}, ahead, own, {});
      std::swap(ahead, own);
    }
    copy(ahead, adjoint, threads);
    amplification.take(h);
    ++report.steps;
  }
  report.error_bound = amplification.error_bound(a.clamps()) + rounding_error(report.products);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace heatfront
