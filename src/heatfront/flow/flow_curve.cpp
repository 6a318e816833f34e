// SPDX-License-Identifier: MIT
// Flow::curve and its like: many times from one recurrence.
#include <algorithm>
#include <cassert>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/flow/curve_flow.h"
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

SolveReport curve_of(const CurveFlow& flow, std::span<const double> times, Matrix start,
                     const VisitTime& visit) {
  if (!std::ranges::is_sorted(times)) fail("times of a curve: they must ascend");
  for (double time : times) {
    FlowOptions then = flow.options;
    then.time = time;
    check(then);
  }
  const Operator& a = flow.a;
  flow.enter(start);
  const bool certify = flow.options.solve.certify;
  const std::vector<double> norms = certify ? column_norms(a, start) : std::vector<double>();
  flow.require_representable(start);
  const double entry = certify ? largest_entry(a) : 0;

  const auto fitting = static_cast<std::size_t>(times_at_once(flow.rows, start.cols(), flow.options));
  const double longest = kLongest / std::max(-a.lowest() / 2, 1e-300);

  Chebyshev solver(flow.options.solve);
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
    const std::vector<double> from_norms = certify ? column_norms(a, start) : std::vector<double>();
    const std::vector<SolveReport> reports = solver.solve_many(a, ahead, start, views);
    whole.products += reports.back().products;
    ++whole.steps;
    whole.seconds += watch.seconds();
    copy(group[count - 1].values, start, a.threads());
    from = times[first + count - 1];
    std::vector<double> errors;
    for (std::size_t i = 0; i < count; ++i) {
      errors = carried;
      for (std::size_t c = 0; c < errors.size(); ++c)
        errors[c] += reports[i].column_bounds[c] * from_norms[c];
      flow.leave(group[i].values);
      whole.reached = whole.reached && reports[i].reached;
      group[i].report = whole;
      if (certify) group[i].report.error_bound = worst_ratio(errors, norms);
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

SolveReport Flow::curve(std::span<const double> times, Matrix start, const VisitTime& visit) {
  require_count("rows of the start", start.rows(), graph_.nodes(), "one per node");
  start = in_inner_order(std::move(start));
  held_.keep(start);
  const CurveFlow flow{
      .a = laplacian_,
      .options = options_,
      .rows = start.rows(),
      .enter = [&](MatrixView state) { laplacian_.enter(state); },
      .leave =
          [&](MatrixView state) {
            laplacian_.leave(state);
            held_.restore(state);
          },
      .require_representable = [&](ConstMatrixView state) { require_representable(laplacian_, state); }};
  if (!reorders()) return curve_of(flow, times, std::move(start), visit);
  return curve_of(flow, times, std::move(start), [&](double time, const Temperatures& inner) {
    return visit(time, {reordered_back(inner.values), inner.report, inner.column_errors});
  });
}

SolveReport Flow::forward_each(std::span<const double> times, MatrixView state) {
  assert(!reorders() && held_.rows().empty());
  laplacian_.enter(state);
  const SolveReport report = Chebyshev(options_.solve).solve_columns(laplacian_, times, state);
  laplacian_.leave(state);
  return report;
}

SolveReport Flow::backward_each(std::span<const double> times, MatrixView gradient) {
  assert(!reorders() && held_.rows().empty());
  laplacian_.enter_adjoint(gradient);
  const SolveReport report = Chebyshev(options_.solve).solve_columns(laplacian_, times, gradient);
  laplacian_.leave_adjoint(gradient);
  return report;
}

}  // namespace heatfront
