// SPDX-License-Identifier: MIT
#include "heatfront/diffusion/dirichlet.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/diffusion/reordered.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/trunk.h"
#include "heatfront/solve/chebyshev_series.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

constexpr double kLargestLoop = 1e30;  // degrees have to stay numbers

// Of the operator: degrees, their roots, scale and shift, what is clamped, the order of the rows, the vectors that bound
// the spectrum, and the diagonal that some solvers divide by.
constexpr std::int64_t kOperatorBytes = 6 * sizeof(Real) + 1 + sizeof(NodeId) + 2 * sizeof(double);

constexpr std::int64_t kTwigsWorthCutting = 10;  // one node of so many

void check(const FlowOptions& options) {
  if (!(options.time >= 0)) fail("time {}: it must be 0 or more, or inf for the steady state", options.time);
  if (!(options.lambda > 0) || std::isinf(options.lambda))
    fail("lambda {}: it must be a number above 0", options.lambda);
  if (!(options.laplacian.self_loop >= 0 && options.laplacian.self_loop <= kLargestLoop))
    fail("loops of weight {}: it must be from 0 to {:.0e}", options.laplacian.self_loop, kLargestLoop);
  if (!(options.solve.tolerance > 0)) fail("tolerance {}: it must be above 0", options.solve.tolerance);
}

std::int64_t bytes_of_states(std::int64_t rows, std::int64_t columns) {
  return rows * padded_width(columns) * static_cast<std::int64_t>(sizeof(Real));
}

std::int64_t bytes_of_graph(std::int64_t nodes, ArcId arcs, bool weighted) {
  return (nodes + 1) * static_cast<std::int64_t>(sizeof(ArcId)) +
         arcs * static_cast<std::int64_t>(sizeof(NodeId) + (weighted ? sizeof(Real) : 0));
}

bool is_forever(const FlowOptions& options) { return options.time == FlowOptions::kForever; }

const SolverEntry& solver_of(const FlowOptions& options) {
  if (is_forever(options))
    return find_solver(options.solver.empty() ? "cg" : options.solver, SolverPurpose::steady_state);
  return find_solver(options.solver.empty() ? "chebyshev" : options.solver, SolverPurpose::time);
}

// The most states held at once, the one a solver is given among them, and for the steady state the part of it without
// branches.
std::int64_t states_held(const FlowOptions& options) {
  return solver_of(options).states + (is_forever(options) ? 1 : 0);
}

// Columns solved at once.
std::int64_t block_width(std::int64_t rows, std::int64_t columns, const FlowOptions& options) {
  if (options.memory_limit <= 0 || rows == 0) return columns;
  const std::int64_t least = states_held(options) * bytes_of_states(rows, 1);
  const std::int64_t fitting = options.memory_limit / least * padded_width(1);
  if (fitting == 0) {
    fail("memory limit {} MB: even {} classes at once need {} MB", options.memory_limit >> 20,
         padded_width(1), (least >> 20) + 1);
  }
  return std::min(fitting, columns);
}

bool is_worth_cutting(const Graph& graph, const std::vector<Twig>& twigs) {
  return std::ssize(twigs) > graph.nodes() / kTwigsWorthCutting;
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

void copy_columns(ConstMatrixView from, std::int64_t from_column, MatrixView to, std::int64_t to_column,
                  std::int64_t count) {
  for (std::int64_t u = 0; u < from.rows; ++u) {
    std::copy_n(from.data + u * from.stride + from_column, count, to.data + u * to.stride + to_column);
  }
}

// Where no row is clamped, heat comes to rest at the mean of the start (in the operator's coordinates and
// metric). Without a front that is zero, as it is already.
void settle_free_components(const DirichletProblem& problem, const Laplacian& laplacian, MatrixView state) {
  if (problem.front.rows == 0) return;
  const Components components = connected_components(problem.graph);
  std::vector<bool> clamped(static_cast<std::size_t>(components.count()));
  const auto component = [&](std::int64_t u) {
    return static_cast<std::size_t>(components.of[static_cast<std::size_t>(u)]);
  };
  for (NodeId u : problem.known.nodes) clamped[component(u)] = true;
  std::vector<double> mass(clamped.size()), sums(clamped.size());
  for (std::int64_t u = 0; u < state.rows; ++u) mass[component(u)] += laplacian.metric_at(u);
  for (std::int64_t c = 0; c < state.cols; ++c) {
    std::ranges::fill(sums, 0.0);
    for (std::int64_t u = 0; u < state.rows; ++u)
      sums[component(u)] += laplacian.metric_at(u) * static_cast<double>(state(u, c));
    for (std::int64_t u = 0; u < state.rows; ++u) {
      if (!clamped[component(u)]) state(u, c) = static_cast<Real>(sums[component(u)] / mass[component(u)]);
    }
  }
}

// A problem without its branches, for the steady state: there they have the temperature of what they hang on, in the
// operator's coordinates.
class TrunkProblem {
 public:
  TrunkProblem(const DirichletProblem& problem, std::vector<Twig> twigs, const FlowOptions& options,
               Threads& threads)
      : trunk_(problem.graph, problem.weights, std::move(twigs)),
        laplacian_(trunk_.graph, trunk_.weights, options.laplacian, options.lambda, threads, trunk_.loops) {
    std::vector<NodeId> known;
    for (NodeId u : problem.known.nodes) {
      const auto place = std::ranges::lower_bound(trunk_.nodes, u) - trunk_.nodes.begin();
      known.push_back(static_cast<NodeId>(place));
    }
    laplacian_.clamp(known);
  }
  TrunkProblem(const TrunkProblem&) = delete;  // the operator is lent the trunk
  TrunkProblem& operator=(const TrunkProblem&) = delete;

  SolveReport solve(SteadySolver& solver, MatrixView state) const {
    Matrix part(std::ssize(trunk_.nodes), state.cols, state.stride);
    for (std::int64_t i = 0; i < part.rows(); ++i) std::ranges::copy(state.row(node(i)), part.row(i).begin());
    const SolveReport report = solver.solve(laplacian_, part);
    for (std::int64_t i = 0; i < part.rows(); ++i) std::ranges::copy(part.row(i), state.row(node(i)).begin());
    for (auto twig = trunk_.twigs.rbegin(); twig != trunk_.twigs.rend(); ++twig)  // joints first
      std::ranges::copy(state.row(twig->joint), state.row(twig->node).begin());
    return report;
  }

 private:
  NodeId node(std::int64_t i) const { return trunk_.nodes[at(i)]; }

  Trunk trunk_;
  Laplacian laplacian_;
};

// The steady state of blocks of columns.
class SteadyBlocks {
 public:
  SteadyBlocks(const DirichletProblem& problem, const Laplacian& laplacian, const FlowOptions& options)
      : problem_(problem),
        laplacian_(laplacian),
        solver_(steady_solver(solver_of(options).name, options.solve)) {
    std::vector<Twig> twigs = find_twigs(problem.graph, problem.weights, problem.known.nodes);
    if (is_worth_cutting(problem.graph, twigs))
      trunk_.emplace(problem, std::move(twigs), options, laplacian.threads());
  }

  SolveReport solve(MatrixView state) {
    settle_free_components(problem_, laplacian_, state);
    return trunk_ ? trunk_->solve(*solver_, state) : solver_->solve(laplacian_, state);
  }

 private:
  const DirichletProblem& problem_;
  const Laplacian& laplacian_;
  std::unique_ptr<SteadySolver> solver_;
  std::optional<TrunkProblem> trunk_;
};

void add_report(SolveReport& whole, const SolveReport& part) {
  whole.products = std::max(whole.products, part.products);
  whole.steps = std::max(whole.steps, part.steps);
  whole.rejected = std::max(whole.rejected, part.rejected);
  whole.error_bound = std::fmax(whole.error_bound, part.error_bound);
  whole.error_estimate = std::fmax(whole.error_estimate, part.error_estimate);
  whole.residual = std::fmax(whole.residual, part.residual);
  whole.least_residual = std::fmax(whole.least_residual, part.least_residual);
  whole.reached = whole.reached && part.reached;
  whole.seconds += part.seconds;
}

}  // namespace

void set_known(const DirichletProblem& problem, MatrixView values) {
  for (std::size_t i = 0; i < problem.known.nodes.size(); ++i) {
    const auto row = values.row(problem.known.nodes[i]);
    std::ranges::fill(row, Real(0));
    row[static_cast<std::size_t>(problem.known.classes[i])] = static_cast<Real>(problem.label_scale);
  }
}

Matrix starting_state(const DirichletProblem& problem) {
  Matrix state = padded_matrix(problem.graph.nodes(), problem.classes);
  if (problem.front.rows > 0) {
    assert(problem.front.rows == state.rows() && problem.front.cols == state.cols());
    copy_columns(problem.front, 0, state, 0, state.cols());
    if (problem.free) return state;
  }
  set_known(problem, state);
  return state;
}

std::int64_t operator_memory(const DirichletProblem& problem, const FlowOptions& options) {
  const Graph& graph = problem.graph;
  std::int64_t bytes = graph.nodes() * kOperatorBytes;
  if (options.reorder != Reordering::none) {
    bytes += bytes_of_graph(graph.nodes(), graph.arcs(), !problem.weights.empty()) +
             graph.nodes() * static_cast<std::int64_t>(sizeof(NodeId)) +
             problem.front.rows * problem.front.cols * static_cast<std::int64_t>(sizeof(Real)) +
             bytes_of_states(graph.nodes(), problem.classes);
  }
  return bytes;
}

MemoryEstimate estimate_memory(const DirichletProblem& problem, const FlowOptions& options) {
  const std::int64_t nodes = problem.graph.nodes(), states = solver_of(options).states;
  const std::int64_t width = block_width(nodes, problem.classes, options);
  const std::int64_t cut_off = is_forever(options) ? count_cut_off(problem) : 0;
  const std::int64_t rows = cut_off > 0 ? nodes + states * (nodes - cut_off) : states * nodes;
  MemoryEstimate estimate{.answer = bytes_of_states(nodes, problem.classes),
                          .states = bytes_of_states(rows, width),
                          .others = operator_memory(problem, options),
                          .least_states = states_held(options) * bytes_of_states(nodes, 1)};
  if (width == problem.classes) estimate.states -= estimate.answer;  // which is one of them
  if (cut_off > 0) estimate.others += trunk_memory(problem, cut_off);
  return estimate;
}

Temperatures solve_dirichlet(const DirichletProblem& problem, const FlowOptions& options, Threads& threads) {
  check(options);
  if (options.reorder != Reordering::none) {
    const ReorderedProblem reordered(problem, options.reorder);
    Temperatures result = solve_dirichlet(reordered.problem(), without_reordering(options), threads);
    result.values = reordered.in_users_order(result.values);
    return result;
  }
  if (options.time == FlowOptions::kForever && problem.free) {
    fail(
        "time inf: the free flow has no steady state but zero difference; clamp labels or give a finite "
        "time");
  }
  Laplacian laplacian(problem.graph, problem.weights, options.laplacian, options.lambda, threads);
  if (!problem.free) laplacian.clamp(problem.known.nodes);
  std::optional<SteadyBlocks> steady;
  std::unique_ptr<TimeSolver> flow;
  if (options.time == FlowOptions::kForever) {
    steady.emplace(problem, laplacian, options);
  } else {
    require_followable(-laplacian.lowest() / 2 * options.time);
    flow = time_solver(solver_of(options).name, options.solve);
  }

  Temperatures result{.values = starting_state(problem)};
  Matrix& values = result.values;
  result.column_errors.resize(static_cast<std::size_t>(values.cols()));
  const double entry = largest_entry(laplacian);
  const std::int64_t width = block_width(values.rows(), values.cols(), options);
  for (std::int64_t first = 0; first < values.cols(); first += width) {
    const std::int64_t count = std::min(width, values.cols() - first);
    Matrix block;
    if (count < values.cols()) {
      block = padded_matrix(values.rows(), count);
      copy_columns(values, first, block, 0, count);
    }
    const MatrixView state = count < values.cols() ? block.view() : values.view();
    laplacian.enter(state);
    std::vector<double> norms(static_cast<std::size_t>(count));
    inner_products(laplacian, state, state, norms);
    const SolveReport report =
        steady ? steady->solve(state) : flow->solve(laplacian, options.time, state, nullptr);
    laplacian.leave(state);
    if (count < values.cols()) copy_columns(block, 0, values, first, count);
    add_report(result.report, report);
    const double error = std::isnan(report.error_bound) ? std::fmax(report.error_estimate, report.residual)
                                                        : report.error_bound;
    for (std::int64_t c = 0; c < count; ++c) {
      result.column_errors[static_cast<std::size_t>(first + c)] =
          error * entry * std::sqrt(norms[static_cast<std::size_t>(c)]);
    }
  }
  if (!problem.free) set_known(problem, values);  // to the bit, whatever coordinates the operator has
  return result;
}

}  // namespace heatfront
