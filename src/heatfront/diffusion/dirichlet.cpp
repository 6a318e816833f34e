// SPDX-License-Identifier: MIT
#include "heatfront/diffusion/dirichlet.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/diffusion/flow_memory.h"
#include "heatfront/diffusion/harmonic_extension.h"
#include "heatfront/diffusion/reordered.h"
#include "heatfront/solve/chebyshev_series.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

constexpr double kLargestLoop = 1e6;   // the least weights have to count beside it
constexpr double kLongestTime = 1e30;  // what is slower than numbers can tell moves nothing by then
constexpr double kSlowest = 1e-6, kFastest = 1e6;       // λ, likewise
constexpr double kLeastScale = 1e-6, kMostScale = 1e6;  // of labels, likewise

void copy_columns(ConstMatrixView from, std::int64_t from_column, MatrixView to, std::int64_t to_column,
                  std::int64_t count) {
  for (std::int64_t u = 0; u < from.rows; ++u) {
    std::copy_n(from.data + u * from.stride + from_column, count, to.data + u * to.stride + to_column);
  }
}

void add_report(SolveReport& whole, const SolveReport& part) {
  whole.products = std::max(whole.products, part.products);
  whole.steps = std::max(whole.steps, part.steps);
  whole.rejected = std::max(whole.rejected, part.rejected);
  whole.error_bound = std::fmax(whole.error_bound, part.error_bound);
  whole.error_estimate = std::fmax(whole.error_estimate, part.error_estimate);
  whole.residual = std::fmax(whole.residual, part.residual);
  whole.least_residual = std::fmax(whole.least_residual, part.least_residual);
  whole.largest_move = std::fmax(whole.largest_move, part.largest_move);
  whole.reached = whole.reached && part.reached;
  whole.seconds += part.seconds;
}

// Relative to the column at the start.
double column_error(const SolveReport& report, std::int64_t c) {
  constexpr double kForEstimates = 2;
  return report.column_bounds.empty() ? kForEstimates * report.error_estimate : report.column_bounds[at(c)];
}

void check_front_shape(const DirichletProblem& problem) {
  const ConstMatrixView& front = problem.front;
  if (front.rows == 0 || (front.rows == problem.graph.nodes() && front.cols == problem.classes)) return;
  fail("front of {} rows and {} columns: it must have {}, one per node, and {}, one per class", front.rows,
       front.cols, problem.graph.nodes(), problem.classes);
}

}  // namespace

void check(const KnownLabels& known, NodeId nodes, ClassId classes) {
  require_count("classes of known labels", std::ssize(known.classes), std::ssize(known.nodes),
                "one for each node");
  require_ids("nodes of known labels", known.nodes, 0, nodes);
  require_ids("classes of known labels", known.classes, 0, classes);
  std::vector<bool> met(at(nodes));
  for (NodeId u : known.nodes) {
    if (met[at(u)]) fail("node {} is known twice; one label a node can be held", u);
    met[at(u)] = true;
  }
}

void check(const DirichletProblem& problem) {
  const NodeId nodes = problem.graph.nodes();
  if (problem.classes < 1) fail("{} classes: there must be 1 or more", problem.classes);
  require_weights("weights", problem.weights, problem.graph.arcs());
  check(problem.known, nodes, problem.classes);
  check_front_shape(problem);
  for (std::int64_t u = 0; u < problem.front.rows; ++u) {
    if (!std::ranges::all_of(problem.front.row(u), [](Real x) { return std::isfinite(x); }))
      fail("front of node {}: every value must be a finite number", u);
  }
}

void require_flow(const DirichletProblem& problem, const FlowOptions& options) {
  if (!(options.time >= 0 && (options.time <= kLongestTime || is_forever(options))))
    fail("time {}: it must be from 0 to {:.0e}, or inf for the steady state", options.time, kLongestTime);
  if (!(options.lambda >= kSlowest && options.lambda <= kFastest))
    fail("lambda {}: it must be from {:.0e} to {:.0e}; beyond that, change the time", options.lambda,
         kSlowest, kFastest);
  if (!(options.laplacian.self_loop >= 0 && options.laplacian.self_loop <= kLargestLoop))
    fail("loops of weight {}: it must be from 0 to {:.0e}", options.laplacian.self_loop, kLargestLoop);
  if (!(options.solve.tolerance > 0)) fail("tolerance {}: it must be above 0", options.solve.tolerance);
  const double scale = std::abs(problem.label_scale);
  if (scale != 0 && !(scale >= kLeastScale && scale <= kMostScale))
    fail("label scale {}: it must be 0, or from {:.0e} to {:.0e} in size", problem.label_scale, kLeastScale,
         kMostScale);
}

void require_representable(const Laplacian& laplacian, ConstMatrixView state) {
  constexpr double kMost = 1e37, kLeast = 1e-30;
  double strength = 1;
  for (Real degree : laplacian.metric()) strength = std::max(strength, static_cast<double>(degree));
  for (std::int64_t u = 0; u < state.rows; ++u) strength = std::max(strength, -laplacian.diagonal(u));
  std::vector<Real> largest(at(state.cols));
  for (std::int64_t u = 0; u < state.rows; ++u) {
    for (std::int64_t c = 0; c < state.cols; ++c)
      largest[at(c)] = std::max(largest[at(c)], std::abs(state(u, c)));
  }
  for (Real x : largest) {
    const auto most = static_cast<double>(x);
    if (most == 0 || (most >= kLeast && most * strength <= kMost)) continue;
    fail(
        "temperatures of {:.1e} and edges as strong as {:.1e} leave the range of numbers; bring both nearer "
        "to 1",
        most, strength);
  }
}

void set_known(const DirichletProblem& problem, MatrixView values) {
  require_ids("nodes of known labels", problem.known.nodes, 0, values.rows);
  require_ids("classes of known labels", problem.known.classes, 0, values.cols);
  require_count("classes of known labels", std::ssize(problem.known.classes), std::ssize(problem.known.nodes),
                "one for each node");
  for (std::size_t i = 0; i < problem.known.nodes.size(); ++i) {
    const auto row = values.row(problem.known.nodes[i]);
    std::ranges::fill(row, Real(0));
    row[static_cast<std::size_t>(problem.known.classes[i])] = static_cast<Real>(problem.label_scale);
  }
}

Matrix starting_state(const DirichletProblem& problem) {
  check_front_shape(problem);
  Matrix state = padded_matrix(problem.graph.nodes(), problem.classes);
  if (problem.front.rows > 0) {
    copy_columns(problem.front, 0, state, 0, state.cols());
    if (problem.free) return state;
  }
  set_known(problem, state);
  return state;
}

bool is_forever(const FlowOptions& options) { return options.time == FlowOptions::kForever; }

const SolverEntry& solver_of(const FlowOptions& options) {
  if (is_forever(options))
    return find_solver(options.solver.empty() ? "cg" : options.solver, SolverPurpose::steady_state);
  return find_solver(options.solver.empty() ? "chebyshev" : options.solver, SolverPurpose::time);
}

Temperatures solve_dirichlet(const DirichletProblem& problem, const FlowOptions& options, Threads& threads) {
  check(problem);
  require_flow(problem, options);
  if (options.reorder != Reordering::none) {
    const ReorderedProblem reordered(problem, options.reorder);
    Temperatures result = solve_dirichlet(reordered.problem(), without_reordering(options), threads);
    result.values = reordered.in_users_order(result.values);
    return result;
  }
  if (is_forever(options) && problem.free) {
    fail(
        "time inf: the free flow has no steady state but zero difference; clamp labels or give a finite "
        "time");
  }
  const double speed = is_forever(options) ? 1 : options.lambda;  // of which rest knows nothing
  Laplacian laplacian(problem.graph, problem.weights, options.laplacian, speed, threads);
  if (!problem.free) laplacian.clamp(problem.known.nodes);
  std::optional<HarmonicExtension> steady;
  std::unique_ptr<TimeSolver> flow;
  double time = options.time;
  if (is_forever(options)) {
    steady.emplace(problem, laplacian, options);
  } else {
    if (laplacian.lowest() == 0) time = 0;  // nothing flows, however long
    require_followable(-laplacian.lowest() / 2 * time);
    flow = time_solver(solver_of(options).name, options.solve);
  }

  Temperatures result{.values = starting_state(problem)};
  Matrix& values = result.values;
  result.column_errors.resize(static_cast<std::size_t>(values.cols()));
  const double entry = largest_entry(laplacian);
  const std::int64_t width = columns_at_once(values.rows(), values.cols(), options);
  const bool in_place = width == values.cols() && !(steady && values.stride() == values.cols());
  for (std::int64_t first = 0; first < values.cols(); first += width) {
    const std::int64_t count = std::min(width, values.cols() - first);
    Matrix block;
    if (!in_place) {
      block = Matrix(values.rows(), count, padded_width(count + (steady ? 1 : 0)));
      copy_columns(values, first, block, 0, count);
    }
    const MatrixView state = in_place ? values.view() : block.view();
    laplacian.enter(state);
    const std::vector<double> norms = column_norms(laplacian, state);
    require_representable(laplacian, state);
    SolveReport report;
    if (steady) {
      HarmonicExtension::Answer answer = steady->solve(first, state);
      report = answer.report;
      std::ranges::copy(answer.column_errors, result.column_errors.begin() + first);
    } else {
      report = flow->solve(laplacian, time, state, nullptr);
      for (std::int64_t c = 0; c < count; ++c)
        result.column_errors[at(first + c)] = entry * norms[at(c)] * column_error(report, c);
    }
    laplacian.leave(state);
    if (!in_place) copy_columns(block, 0, values, first, count);
    add_report(result.report, report);
  }
  if (!problem.free) set_known(problem, values);  // to the bit, whatever coordinates the operator has
  return result;
}

}  // namespace heatfront
