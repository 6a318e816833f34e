// SPDX-License-Identifier: MIT
#include "heatfront/solve/runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/certificate.h"
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

// Σ j r_j z^{j−1}: what a step makes of an error in each of its products, with z = h |lowest|.
double enlargement(std::span<const double> r, double z) {
  double sum = 0;
  for (std::size_t j = r.size(); j-- > 1;) sum = sum * z + static_cast<double>(j) * std::abs(r[j]);
  return sum;
}

// About |lowest| where that is large. A A u can leave the range of numbers where A u does not, and A (A u / unit) cannot; a
// power of two, so that no digit is lost.
double unit_of_curvature(const Operator& a) { return std::exp2(std::max(0, std::ilogb(a.lowest()))); }

}  // namespace

RungeKutta::RungeKutta(const Tableau& tableau, const SolveOptions& options)
    : tableau_(tableau), options_(options), r_(stability_coefficients(tableau)), powers_(r_.size()) {}

SolveReport RungeKutta::solve(const Operator& a, double time, MatrixView state, Trace* trace) {
  const Stopwatch watch;
  if (trace != nullptr) *trace = {};
  if (time == 0) return unmoved(a, state);
  for (Matrix& power : powers_) shape_like(power, state);
  const bool adaptive = tableau_.error != StageWeights{};
  SolveReport report =
      adaptive ? take_adaptive_steps(a, time, state, trace) : take_equal_steps(a, time, state, trace);
  report.seconds = watch.seconds();
  return report;
}

SolveReport RungeKutta::take_adaptive_steps(const Operator& a, double time, MatrixView state, Trace* trace) {
  Threads& threads = a.threads();
  const StepControl control(std::max(options_.tolerance, kFinestTolerance), tableau_.order);
  const std::vector<double> e = error_coefficients(tableau_);
  const double e_slope = tableau_.error[tableau_.stages - 1];
  const std::vector<double> norms = column_norms(a, state);
  const Certificate certificate(a, state);
  std::vector<double> errors(norms.size());
  double longest = 0;
  Amplification amplification(polynomial(r_), a.lowest(), time);
  const double longest_stable = stable_interval(polynomial(r_)) / -a.lowest();
  for (Matrix* matrix : {&slope_, &next_slope_, &change_}) shape_like(*matrix, state);
  SolveReport report{.reached = options_.tolerance >= kFinestTolerance};

  a.apply({}, state, slope_, {});
  const double unit = unit_of_curvature(a);
  copy(slope_, change_, threads);
  scale(1 / unit, change_, threads);
  a.apply({}, change_, powers_[1], {});
  report.products = 2;
  double step = control.first_step(a, state, slope_, powers_[1], unit);
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

    copy(next_slope_, change_, threads);
    scale(h * e_slope, change_, threads);
    for (std::size_t j = 1; j < e.size(); ++j) add_scaled(e[j], powers_[j], change_, threads);
    const double ratio = control.error_ratio(a, change_, powers_[0], state);
    if (ratio <= 1) {
      keep(trace, powers_[0], h, threads);
      amplification.take(h);
      longest = std::max(longest, h);
      const std::vector<double> local = column_norms(a, change_);
      for (std::size_t c = 0; c < errors.size(); ++c) errors[c] += local[c];
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
      fail("{}: still at time {:.4g} of {} after {} steps; chebyshev takes fewer", tableau_.name, now, time,
           report.steps + report.rejected);
    }
  }
  // A step may leave the stability region once what it would enlarge has died down. Then there is no promise
  // for every start, but the flow enlarges no error, so the local ones add up at most.
  const Roundings roundings{.products = enlargement(r_, -a.lowest() * longest),
                            .additions = static_cast<double>(report.steps * std::ssize(r_))};
  if (longest <= longest_stable) {
    certificate.certify(time, amplification.error_bound(a.clamps()), roundings, state, report);
  } else {
    SolveReport probable;
    certificate.certify(time, worst_ratio(errors, norms), roundings, state, probable);
    report.error_estimate = probable.error_bound;
  }
  return report;
}

SolveReport RungeKutta::take_equal_steps(const Operator& a, double time, MatrixView state, Trace* trace) {
  const EqualSteps plan = plan_equal_steps({tableau_.name, polynomial(r_)}, options_, a, time);
  const Certificate certificate(a, state);
  Threads& threads = a.threads();
  Matrix& carry = slope_;
  shape_like(change_, state);
  shape_like(carry, state);
  for (std::int64_t i = 0; i < plan.count; ++i) {
    keep(trace, state, plan.step, threads);
    scale(0, change_, threads);
    ConstMatrixView power = state;
    for (std::size_t j = 1; j < r_.size(); ++j) {
      a.apply({.alpha = plan.step, .delta = r_[j]}, power, powers_[j], change_);
      power = powers_[j];
    }
    add_compensated(change_, state, carry, threads);
  }
  const std::int64_t stages = std::ssize(r_) - 1;
  const double flow = -a.lowest() * time, enlarged = enlargement(r_, -a.lowest() * plan.step);
  const Roundings roundings{.products = enlarged,
                            .additions = static_cast<double>(stages + 3) * flow * enlarged + 2};
  SolveReport report{.products = plan.count * stages,
                     .steps = plan.count,
                     .reached = plan.error_bound <= options_.tolerance};
  certificate.certify(time, plan.error_bound, roundings, state, report);
  return report;
}

SolveReport RungeKutta::backward(const Operator& a, double /*time*/, const Trace& trace, MatrixView adjoint,
                                 OperatorGradient* gradient) {
  const Stopwatch watch;
  Threads& threads = a.threads();
  SolveReport report;
  for (Matrix& power : powers_) shape_like(power, adjoint);
  Matrix& ahead = slope_;     // a_{j+1}
  Matrix& own = next_slope_;  // a_j
  shape_like(ahead, adjoint);
  shape_like(own, adjoint);
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
    ++report.steps;
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace heatfront
