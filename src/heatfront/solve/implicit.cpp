// SPDX-License-Identifier: MIT
#include "heatfront/solve/implicit.h"

#include <cassert>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/certificate.h"
#include "heatfront/solve/conjugate_gradient.h"
#include "heatfront/solve/equal_steps.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

constexpr double kShareOfSystems = 0.1;  // of the tolerance

}  // namespace

struct Implicit::Plan {
  EqualSteps steps;
  std::vector<double> targets;  // of the residual of a system, by column
};

Implicit::Plan Implicit::plan(const Operator& a, double time, ConstMatrixView start) const {
  const double theta = this->theta();
  SolveOptions options = options_;
  options.tolerance *= 1 - kShareOfSystems;
  Plan plan{.steps = plan_equal_steps({name(), [theta](double z) { return z / (1 - theta * z); }}, options, a,
                                      time),
            .targets = column_norms(a, start)};
  for (double& target : plan.targets) {
    target *= kShareOfSystems * options_.tolerance / static_cast<double>(plan.steps.count);
  }
  return plan;
}

SolveReport Implicit::solve(const Operator& a, double time, MatrixView state, Trace* trace) {
  admit(name(), a);
  const Stopwatch watch;
  if (trace != nullptr) *trace = {};
  if (time == 0) return unmoved(a, state);
  const Certificate certificate(a, state);
  Threads& threads = a.threads();
  const Plan plan = this->plan(a, time, state);
  const double h = plan.steps.step;
  ConjugateGradient systems(a, 1, theta() * h);
  SolveReport report{.steps = plan.steps.count};
  for (Matrix* matrix : {&change_, &middle_, &residual_}) shape_like(*matrix, state);
  Matrix carry(state.rows, state.cols, state.stride);
  const auto keep = [&] {
    if (trace == nullptr) return;
    shape_like(trace->states.emplace_back(), state);
    copy(state, trace->states.back(), threads);
  };
  keep();
  for (std::int64_t i = 0; i < plan.steps.count; ++i) {
    // The last δ is the first guess; what it leaves is hA(u + θδ) − δ, one product.
    copy(state, middle_, threads);
    add_scaled(theta(), change_, middle_, threads);
    a.apply({.alpha = h}, middle_, residual_, {});
    add_scaled(-1, change_, residual_, threads);
    const ConjugateGradient::Report solved = systems.solve(residual_, change_, plan.targets);
    add_compensated(change_, state, carry, threads);
    report.products += solved.products + 1;
    report.reached = report.reached && solved.reached;
    keep();
  }
  if (trace != nullptr) trace->steps.assign(1, h);
  const double z = -theta() * h * a.lowest();
  certificate.certify(
      time, plan.steps.error_bound + kShareOfSystems * options_.tolerance,
      {.products = 1 + 2 * theta(), .additions = static_cast<double>(report.products) * (1 + z)}, state,
      report);
  report.reached = report.reached && plan.steps.error_bound <= (1 - kShareOfSystems) * options_.tolerance;
  report.seconds = watch.seconds();
  return report;
}

SolveReport Implicit::backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                               OperatorGradient* gradient) {
  admit(name(), a);
  const Stopwatch watch;
  if (time == 0) return {};
  Threads& threads = a.threads();
  const Plan plan = this->plan(a, time, adjoint);
  const double h = plan.steps.step;
  assert(trace.steps.size() == 1 && trace.steps.front() == h);
  ConjugateGradient systems(a, 1, theta() * h);
  SolveReport report{.steps = plan.steps.count};
  for (Matrix* matrix : {&change_, &middle_, &residual_}) shape_like(*matrix, adjoint);
  for (std::size_t i = trace.states.size() - 1; i-- > 0;) {
    // The last μ is the first guess; what it leaves is G − μ + θhA μ on the free rows.
    copy(adjoint, residual_, threads);
    clear_clamped_rows(a, residual_);
    a.apply({.alpha = theta() * h, .beta = -1, .gamma = 1}, change_, residual_, {});
    const ConjugateGradient::Report solved = systems.solve(residual_, change_, plan.targets);
    if (gradient != nullptr) {
      copy(trace.states[i], middle_, threads);
      scale(1 - theta(), middle_, threads);
      add_scaled(theta(), trace.states[i + 1], middle_, threads);
      a.add_gradient(h, change_, middle_, *gradient);
    }
    a.apply_adjoint({.alpha = h, .gamma = 1}, change_, adjoint, {});
    report.products += solved.products + 2;
    report.reached = report.reached && solved.reached;
  }
  report.seconds = watch.seconds();
  return report;
}

}  // namespace heatfront
