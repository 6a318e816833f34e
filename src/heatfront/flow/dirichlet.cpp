// SPDX-License-Identifier: MIT
#include "heatfront/flow/dirichlet.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"

namespace heatfront {
namespace {

constexpr double kLeastScale = 1e-6, kMostScale = 1e6;  // of labels

void check_front_shape(ConstMatrixView front, NodeId nodes, ClassId classes) {
  if (front.rows == 0 || (front.rows == nodes && front.cols == classes)) return;
  fail("front of {} rows and {} columns: it must have {}, one per node, and {}, one per class", front.rows,
       front.cols, nodes, classes);
}

}  // namespace

std::span<const NodeId> held_nodes(const DirichletProblem& problem) {
  return problem.free ? std::span<const NodeId>() : problem.known.nodes;
}

void check_rests(const FlowOptions& options, bool free) {
  if (is_forever(options) && free) {
    fail(
        "time inf: the free flow has no steady state but zero difference; clamp labels or give a finite "
        "time");
  }
}

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

void check_front(ConstMatrixView front, NodeId nodes, ClassId classes) {
  if (classes < 1) fail("{} classes: there must be 1 or more", classes);
  check_front_shape(front, nodes, classes);
  for (std::int64_t u = 0; u < front.rows; ++u) {
    if (!std::ranges::all_of(front.row(u), [](Real x) { return std::isfinite(x); }))
      fail("front of node {}: every value must be a finite number", u);
  }
}

void check_label_scale(double scale) {
  const double size = std::abs(scale);
  if (size != 0 && !(size >= kLeastScale && size <= kMostScale))
    fail("label scale {}: it must be 0, or from {:.0e} to {:.0e} in size", scale, kLeastScale, kMostScale);
}

void check(const DirichletProblem& problem) {
  const NodeId nodes = problem.graph.nodes();
  check_front(problem.front, nodes, problem.classes);
  require_weights("weights", problem.weights, problem.graph.arcs());
  check(problem.known, nodes, problem.classes);
  check_label_scale(problem.label_scale);
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

Matrix starting_state(const DirichletProblem& problem, Threads& threads) {
  const ConstMatrixView front = problem.front;
  check_front_shape(front, problem.graph.nodes(), problem.classes);
  Matrix state = padded_matrix(problem.graph.nodes(), problem.classes);
  threads.for_blocks(front.rows, rows_at_once(front.rows, front.cols),
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t u = begin; u < end; ++u)
                         std::ranges::copy(front.row(u), state.row(u).begin());
                     });
  if (front.rows == 0 || !problem.free) set_known(problem, state);
  return state;
}

Matrix starting_state(const DirichletProblem& problem) {
  Threads alone(1);
  return starting_state(problem, alone);
}

Temperatures solve_dirichlet(const DirichletProblem& problem, NodeFlow& flow) {
  check(problem);
  check_rests(flow.options(), problem.free);
  flow.hold(held_nodes(problem));
  return flow.solve(starting_state(problem, flow.threads()));
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
  return flow.curve(times, starting_state(problem, threads), visit);
}

}  // namespace heatfront
