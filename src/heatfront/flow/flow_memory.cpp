// SPDX-License-Identifier: MIT
#include "heatfront/flow/flow_memory.h"

#include <algorithm>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/harmonic_extension.h"
#include "heatfront/solve/chebyshev.h"

namespace heatfront {
namespace {

// Of the operator: degrees, their roots, scale and shift, what is clamped, the order of the rows, the vectors that bound
// the spectrum, and the diagonal that some solvers divide by.
constexpr std::int64_t kOperatorBytes = 6 * sizeof(Real) + 1 + sizeof(NodeId) + 2 * sizeof(double);

constexpr std::int64_t kCurveMemory =
    std::int64_t{1} << 30;  // for the states of a group of times, unless the user says otherwise
constexpr std::int64_t kStatesBesideTimes = 3;  // the start and two polynomials

std::int64_t bytes_of_states(std::int64_t rows, std::int64_t columns) {
  return rows * padded_width(columns) * static_cast<std::int64_t>(sizeof(Real));
}

// Of a curve: the start, so many times, and two polynomials; of wide states, blocks with a start, times and polynomials of their own.
std::int64_t bytes_of_curve(std::int64_t rows, std::int64_t columns, std::int64_t times) {
  const std::int64_t beside = Chebyshev::columns_beside(columns);
  const std::int64_t bytes = bytes_of_states(rows, columns);
  if (beside == 0) return (kStatesBesideTimes + times) * bytes;
  return (1 + times) * bytes + (kStatesBesideTimes + times) * bytes_of_states(rows, beside);
}

std::int64_t bytes_of_graph(std::int64_t nodes, ArcId arcs, bool weighted) {
  return (nodes + 1) * static_cast<std::int64_t>(sizeof(ArcId)) +
         arcs * static_cast<std::int64_t>(sizeof(NodeId) + (weighted ? sizeof(Real) : 0));
}

// Columns beside the classes: that of the harmonic extension whose truth is known.
std::int64_t columns_beside(const FlowOptions& options) { return is_forever(options) ? 1 : 0; }

// The most states held at once, the one a solver is given among them, and for the steady state the part of it without
// branches.
std::int64_t states_held(const FlowOptions& options) {
  return solver_of(options).states + (is_forever(options) ? 1 : 0);
}

std::int64_t least_states(std::int64_t rows, const FlowOptions& options) {
  return states_held(options) * bytes_of_states(rows, 1);
}

// The nodes of branches that the steady state is solved without.
std::int64_t count_cut_off(const DirichletProblem& problem) {
  const std::vector<Twig> twigs = find_twigs(problem.graph, problem.weights, problem.known.nodes);
  return is_worth_cutting(problem.graph, twigs) ? std::ssize(twigs) : 0;
}

// Of a problem without so many nodes: graph, operator, what it was cut from, and the twigs, in an array that has grown.
std::int64_t trunk_memory(const DirichletProblem& problem, std::int64_t cut_off) {
  const std::int64_t nodes = problem.graph.nodes() - cut_off;
  const std::int64_t a_node = kOperatorBytes + static_cast<std::int64_t>(sizeof(NodeId) + sizeof(Real));
  return bytes_of_graph(nodes, problem.graph.arcs() - 2 * cut_off, !problem.weights.empty()) +
         nodes * a_node + 2 * cut_off * static_cast<std::int64_t>(sizeof(Twig));
}

}  // namespace

std::int64_t columns_at_once(std::int64_t rows, std::int64_t classes, const FlowOptions& options) {
  if (options.memory_limit <= 0 || rows == 0) return classes;
  const std::int64_t least = least_states(rows, options);
  const std::int64_t fitting = options.memory_limit / least * padded_width(1) - columns_beside(options);
  if (fitting < 1) {
    fail("memory limit {} MB: even {} classes at once need {} MB", options.memory_limit >> 20,
         padded_width(1) - columns_beside(options), (least >> 20) + 1);
  }
  return std::min(fitting, classes);
}

std::int64_t times_at_once(std::int64_t rows, std::int64_t classes, const FlowOptions& options) {
  const std::int64_t none = bytes_of_curve(rows, classes, 0);
  const std::int64_t each = std::max<std::int64_t>(1, bytes_of_curve(rows, classes, 1) - none);
  if (options.memory_limit <= 0) return std::max<std::int64_t>(1, kCurveMemory / each);
  const std::int64_t fitting = (options.memory_limit - none) / each;
  if (fitting < 1) {
    fail("memory limit {} MB: the flow at many times holds all classes at once, which needs {} MB",
         options.memory_limit >> 20, ((none + each) >> 20) + 1);
  }
  return fitting;
}

MemoryEstimate estimate_curve_memory(const DirichletProblem& problem, const FlowOptions& options,
                                     std::int64_t times) {
  check(problem);
  const std::int64_t nodes = problem.graph.nodes();
  const std::int64_t group = std::min(times_at_once(nodes, problem.classes, options), times);
  return {.states = bytes_of_curve(nodes, problem.classes, group),
          .others = operator_memory(problem, options),
          .least_states = bytes_of_curve(nodes, problem.classes, 1)};
}

std::int64_t operator_memory(const DirichletProblem& problem, const FlowOptions& options) {
  const Graph& graph = problem.graph;
  const std::int64_t a_held_row =
      static_cast<std::int64_t>(sizeof(NodeId)) + problem.classes * static_cast<std::int64_t>(sizeof(Real));
  std::int64_t bytes = graph.nodes() * kOperatorBytes;
  if (!problem.free) bytes += std::ssize(problem.known.nodes) * a_held_row;
  if (options.reorder != Reordering::none) {
    bytes += bytes_of_graph(graph.nodes(), graph.arcs(), !problem.weights.empty()) +
             graph.nodes() * static_cast<std::int64_t>(sizeof(NodeId)) +
             problem.front.rows * problem.front.cols * static_cast<std::int64_t>(sizeof(Real)) +
             bytes_of_states(graph.nodes(), problem.classes);
  }
  return bytes;
}

MemoryEstimate estimate_memory(const DirichletProblem& problem, const FlowOptions& options) {
  check(problem);
  const std::int64_t nodes = problem.graph.nodes(), states = solver_of(options).states;
  const std::int64_t width = columns_at_once(nodes, problem.classes, options);
  const std::int64_t cut_off = is_forever(options) ? count_cut_off(problem) : 0;
  const std::int64_t rows = cut_off > 0 ? nodes + states * (nodes - cut_off) : states * nodes;
  const std::int64_t columns = width + columns_beside(options);
  MemoryEstimate estimate{.answer = bytes_of_states(nodes, problem.classes),
                          .states = bytes_of_states(rows, columns),
                          .others = operator_memory(problem, options),
                          .least_states = least_states(nodes, options)};
  if (width == problem.classes && padded_width(columns) == padded_width(width))
    estimate.states -= estimate.answer;  // which is one of them
  if (cut_off > 0) estimate.others += trunk_memory(problem, cut_off);
  return estimate;
}

}  // namespace heatfront
