// SPDX-License-Identifier: MIT
#include "heatfront/diffusion/flow_curve.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/diffusion/reordered.h"
#include "heatfront/solve/chebyshev.h"

namespace heatfront {
namespace {

constexpr std::int64_t kMemory = std::int64_t{1}
                                 << 30;    // for the states of a group, unless the user says otherwise
constexpr double kLongest = 2000;          // τ of one series, about 400 products
constexpr std::int64_t kStatesBeside = 3;  // a group: the start and two polynomials

// How many of the next times one recurrence serves.
std::size_t group_size(std::span<const double> times, double from, double longest, std::size_t fitting) {
  std::size_t count = 1;
  while (count < times.size() && count < fitting && times[count] - from <= longest) ++count;
  return count;
}

std::int64_t bytes_of_a_time(const DirichletProblem& problem) {
  return std::max<std::int64_t>(
      1, problem.graph.nodes() * padded_width(problem.classes) * static_cast<std::int64_t>(sizeof(Real)));
}

// Times whose states are held at once.
std::int64_t times_at_once(const DirichletProblem& problem, const FlowOptions& options) {
  const std::int64_t bytes = bytes_of_a_time(problem);
  if (options.memory_limit <= 0) return std::max<std::int64_t>(1, kMemory / bytes);
  const std::int64_t fitting = options.memory_limit / bytes - kStatesBeside;
  if (fitting < 1) {
    fail("memory limit {} MB: the flow at many times holds all classes at once, which needs {} MB",
         options.memory_limit >> 20, ((kStatesBeside + 1) * bytes >> 20) + 1);
  }
  return fitting;
}

}  // namespace

MemoryEstimate estimate_curve_memory(const DirichletProblem& problem, const FlowOptions& options,
                                     std::int64_t times) {
  check(problem);
  const std::int64_t group = std::min(times_at_once(problem, options), times);
  return {.states = (kStatesBeside + group) * bytes_of_a_time(problem),
          .others = operator_memory(problem, options),
          .least_states = (kStatesBeside + 1) * bytes_of_a_time(problem)};
}

SolveReport flow_curve(const DirichletProblem& problem, const FlowOptions& options,
                       std::span<const double> times, Threads& threads, const VisitTime& visit) {
  check(problem);
  if (!std::ranges::is_sorted(times)) fail("times of a curve: they must ascend");
  for (double time : times) {
    FlowOptions flow = options;
    flow.time = time;
    require_flow(problem, flow);
  }
  if (options.reorder != Reordering::none) {
    const ReorderedProblem reordered(problem, options.reorder);
    const auto visit_back = [&](double time, const Temperatures& t) {
      return visit(time, {reordered.in_users_order(t.values), t.report, t.column_errors});
    };
    return flow_curve(reordered.problem(), without_reordering(options), times, threads, visit_back);
  }
  Laplacian laplacian(problem.graph, problem.weights, options.laplacian, options.lambda, threads);
  if (!problem.free) laplacian.clamp(problem.known.nodes);
  Matrix start = starting_state(problem);
  laplacian.enter(start);
  const std::vector<double> norms = column_norms(laplacian, start);
  require_representable(laplacian, start);
  const double entry = largest_entry(laplacian);

  const auto fitting = static_cast<std::size_t>(times_at_once(problem, options));
  const double longest = kLongest / std::max(-laplacian.lowest() / 2, 1e-300);

  Chebyshev solver(options.solve);
  SolveReport whole{.error_bound = 0};
  double from = 0;
  std::vector<double> carried(
      norms.size());                // errors that a group begins with: the flow does not enlarge them
  std::vector<Temperatures> group;  // kept: states given back and asked for anew leave holes in memory
  for (std::size_t first = 0; first < times.size();) {
    const Stopwatch watch;
    const std::size_t count = group_size(times.subspan(first), from, longest, fitting);
    std::vector<double> ahead;
    if (group.size() < count) group.resize(count);
    std::vector<MatrixView> views;
    for (std::size_t i = 0; i < count; ++i) {
      ahead.push_back(times[first + i] - from);
      shape_like(group[i].values, start);
      views.push_back(group[i].values);
    }
    const std::vector<double> from_norms = column_norms(laplacian, start);
    const std::vector<SolveReport> reports = solver.solve_many(laplacian, ahead, start, views);
    whole.products += reports.back().products;
    ++whole.steps;
    whole.seconds += watch.seconds();
    copy(group[count - 1].values, start, threads);
    from = times[first + count - 1];
    std::vector<double> errors;
    for (std::size_t i = 0; i < count; ++i) {
      errors = carried;
      for (std::size_t c = 0; c < errors.size(); ++c)
        errors[c] += reports[i].column_bounds[c] * from_norms[c];
      laplacian.leave(group[i].values);
      if (!problem.free) set_known(problem, group[i].values);
      whole.reached = whole.reached && reports[i].reached;
      group[i].report = whole;
      group[i].report.error_bound = worst_ratio(errors, norms);
      whole.error_bound = std::max(whole.error_bound, group[i].report.error_bound);
      group[i].column_errors = errors;
      for (double& error : group[i].column_errors) error *= entry;
      if (!visit(times[first + i], group[i])) return whole;
    }
    carried = errors;
    first += count;
  }
  return whole;
}

}  // namespace heatfront
