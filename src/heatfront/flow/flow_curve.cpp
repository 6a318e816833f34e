// SPDX-License-Identifier: MIT
// Flow::curve and its like: many times from one recurrence.
#include <algorithm>
#include <cassert>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/flow/flow.h"
#include "heatfront/flow/flow_memory.h"
#include "heatfront/solve/chebyshev.h"

namespace heatfront {
namespace {

constexpr double kLongest = 2000;  // τ of one series, about 400 products

// How many of the next times one recurrence serves.
std::size_t group_size(std::span<const double> times, double from, double longest, std::size_t fitting) {
  std::size_t count = 1;
  while (count < times.size() && count < fitting && times[count] - from <= longest) ++count;
  return count;
}

}  // namespace

SolveReport Flow::curve(std::span<const double> times, Matrix start, const VisitTime& visit) {
  require_count("rows of the start", start.rows(), graph_.nodes(), "one per node");
  if (!std::ranges::is_sorted(times)) fail("times of a curve: they must ascend");
  for (double time : times) {
    FlowOptions then = options_;
    then.time = time;
    check(then);
  }
  start = in_inner_order(std::move(start));
  keep_held_rows(start);
  laplacian_.enter(start);
  const bool certify = options_.solve.certify;
  const std::vector<double> norms = certify ? column_norms(laplacian_, start) : std::vector<double>();
  require_representable(laplacian_, start);
  const double entry = certify ? largest_entry() : 0;

  const auto fitting = static_cast<std::size_t>(times_at_once(start.rows(), start.cols(), options_));
  const double longest = kLongest / std::max(-laplacian_.lowest() / 2, 1e-300);

  Chebyshev solver(options_.solve);
  SolveReport whole{.error_bound = certify ? 0 : SolveReport::kNone};
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
    const std::vector<double> from_norms = certify ? column_norms(laplacian_, start) : std::vector<double>();
    const std::vector<SolveReport> reports = solver.solve_many(laplacian_, ahead, start, views);
    whole.products += reports.back().products;
    ++whole.steps;
    whole.seconds += watch.seconds();
    copy(group[count - 1].values, start, laplacian_.threads());
    from = times[first + count - 1];
    std::vector<double> errors;
    for (std::size_t i = 0; i < count; ++i) {
      errors = carried;
      for (std::size_t c = 0; c < errors.size(); ++c)
        errors[c] += reports[i].column_bounds[c] * from_norms[c];
      laplacian_.leave(group[i].values);
      restore_held_rows(group[i].values);
      whole.reached = whole.reached && reports[i].reached;
      group[i].report = whole;
      if (certify) group[i].report.error_bound = worst_ratio(errors, norms);
      whole.error_bound = std::max(whole.error_bound, group[i].report.error_bound);
      group[i].column_errors = errors;
      for (double& error : group[i].column_errors) error *= entry;
      const bool goes_on = reorders() ? visit(times[first + i], {reordered_back(group[i].values),
                                                                 group[i].report, group[i].column_errors})
                                      : visit(times[first + i], group[i]);
      if (!goes_on) return whole;
    }
    carried = errors;
    first += count;
  }
  return whole;
}

SolveReport Flow::forward_each(std::span<const double> times, MatrixView state) {
  assert(!reorders() && held_.empty());
  laplacian_.enter(state);
  const SolveReport report = Chebyshev(options_.solve).solve_columns(laplacian_, times, state);
  laplacian_.leave(state);
  return report;
}

SolveReport Flow::backward_each(std::span<const double> times, MatrixView gradient) {
  assert(!reorders() && held_.empty());
  laplacian_.enter_adjoint(gradient);
  const SolveReport report = Chebyshev(options_.solve).solve_columns(laplacian_, times, gradient);
  laplacian_.leave_adjoint(gradient);
  return report;
}

}  // namespace heatfront
