// SPDX-License-Identifier: MIT
#include "heatfront/flow/dirichlet.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"

namespace heatfront {
namespace {

constexpr double kLeastScale = 1e-6, kMostScale = 1e6;  // of labels

std::span<const NodeId> held_nodes(const DirichletProblem& problem) {
  return problem.free ? std::span<const NodeId>() : problem.known.nodes;
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
    if (met[at(u)]) fail("node {} is known twice; only one label per node can be held", u);
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
  const double scale = std::abs(problem.label_scale);
  if (scale != 0 && !(scale >= kLeastScale && scale <= kMostScale))
    fail("label scale {}: it must be 0, or from {:.0e} to {:.0e} in size", problem.label_scale, kLeastScale,
         kMostScale);
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
    for (std::int64_t u = 0; u < state.rows(); ++u)
      std::ranges::copy(problem.front.row(u), state.row(u).begin());
    if (problem.free) return state;
  }
  set_known(problem, state);
  return state;
}

Temperatures solve_dirichlet(const DirichletProblem& problem, Flow& flow) {
  check(problem);
  if (is_forever(flow.options()) && problem.free) {
    fail(
        "time inf: the free flow has no steady state but zero difference; clamp labels or give a finite "
        "time");
  }
  flow.hold(held_nodes(problem));
  return flow.solve(starting_state(problem));
}

Temperatures solve_dirichlet(const DirichletProblem& problem, const FlowOptions& options, Threads& threads) {
  Flow flow(problem.graph, problem.weights, options, threads);
  return solve_dirichlet(problem, flow);
}

SolveReport flow_curve(const DirichletProblem& problem, const FlowOptions& options,
                       std::span<const double> times, Threads& threads, const VisitTime& visit) {
  check(problem);
  Flow flow(problem.graph, problem.weights, options, threads);
  flow.hold(held_nodes(problem));
  return flow.curve(times, starting_state(problem), visit);
}

}  // namespace heatfront
