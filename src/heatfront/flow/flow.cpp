// SPDX-License-Identifier: MIT
#include "heatfront/flow/flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/column_reports.h"
#include "heatfront/flow/flow_memory.h"
#include "heatfront/flow/harmonic_extension.h"
#include "heatfront/solve/chebyshev.h"
#include "heatfront/solve/chebyshev_series.h"

namespace heatfront {

OptionFields fields(FlowOptions& options) {
  OptionRange times = from_to(0, kLongestTime);
  times.or_infinite = true;
  return joined({{"time", &options.time, "How long heat flows; inf: to the steady state", times},
                 {"lambda", &options.lambda, "Speed of the flow", from_to(kSlowestFlow, kFastestFlow)},
                 {"self_loop", &options.laplacian.self_loop, "Weight of the loop on every node",
                  from_to(0, kLargestLoop)},
                 {"memory_limit", &options.memory_limit, "Bytes for states; 0: no limit", at_least(0)}},
                fields(options.solve));
}

void check(const FlowOptions& options) { checked(options, "flow"); }

bool is_forever(const FlowOptions& options) { return options.time == FlowOptions::kForever; }

const SolverEntry& solver_of(const FlowOptions& options) {
  if (is_forever(options))
    return find_solver(options.solver.empty() ? "cg" : options.solver, SolverPurpose::steady_state);
  return find_solver(options.solver.empty() ? "chebyshev" : options.solver, SolverPurpose::time);
}

namespace {

void copy_columns(ConstMatrixView from, std::int64_t from_column, MatrixView to, std::int64_t to_column,
                  std::int64_t count) {
  for (std::int64_t u = 0; u < from.rows; ++u) {
    std::copy_n(from.data + u * from.stride + from_column, count, to.data + u * to.stride + to_column);
  }
}

const FlowOptions& checked(const FlowOptions& options) {
  check(options);
  return options;
}

std::span<const Real> checked(std::span<const Real> weights, const Graph& graph) {
  require_weights("weights", weights, graph.arcs());
  return weights;
}

std::vector<NodeId> order_of(const Graph& graph, Reordering reordering) {
  return reordering == Reordering::none ? std::vector<NodeId>() : node_order(graph, reordering);
}

std::vector<NodeId> places_in(const std::vector<NodeId>& order) {
  std::vector<NodeId> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[at(order[i])] = static_cast<NodeId>(i);
  return place;
}

double speed_of(const FlowOptions& options) { return is_forever(options) ? 1 : options.lambda; }

}  // namespace

Flow::Flow(const Graph& graph, std::span<const Real> weights, const FlowOptions& options, Threads& threads)
    : options_(checked(options)),
      graph_(graph),
      weights_(checked(weights, graph)),
      order_(order_of(graph, options.reorder)),
      place_(places_in(order_)),
      reordered_(reorders() ? permuted(graph, weights, order_) : WeightedGraph{}),
      laplacian_(reorders() ? reordered_.graph : graph_,
                 reorders() ? std::span<const Real>(reordered_.weights) : weights, options.laplacian,
                 speed_of(options), threads),
      solver_(is_forever(options) ? nullptr : time_solver(solver_of(options).name, options.solve)) {}

Flow::~Flow() = default;

void Flow::set_weights(std::span<const Real> weights) {
  weights_ = weights;
  if (reorders()) reordered_.weights = permuted(graph_, weights, order_).weights;
  laplacian_.set_weights(reorders() ? std::span<const Real>(reordered_.weights) : weights);
  at_rest_.reset();
  components_.reset();
  largest_entry_.reset();
}

void Flow::hold(std::span<const NodeId> nodes) {
  require_ids("held nodes", nodes, 0, graph_.nodes());
  std::vector<NodeId> rows;
  rows.reserve(nodes.size());
  for (NodeId u : nodes) rows.push_back(inner(u));
  laplacian_.clamp(rows);
  held_.hold(std::move(rows));
  at_rest_.reset();
}

Matrix Flow::in_inner_order(Matrix state) const {
  if (!reorders()) return state;
  Matrix result(state.rows(), state.cols(), state.stride());
  for (std::int64_t i = 0; i < state.rows(); ++i)
    std::ranges::copy(std::as_const(state).row(order_[at(i)]), result.row(i).begin());
  return result;
}

Matrix Flow::in_users_order(Matrix state) const {
  if (!reorders()) return state;
  return reordered_back(state);
}

Matrix Flow::reordered_back(ConstMatrixView state) const {
  Matrix result(state.rows, state.cols, state.stride);
  for (std::int64_t i = 0; i < state.rows; ++i)
    std::ranges::copy(state.row(i), result.row(order_[at(i)]).begin());
  return result;
}

double Flow::largest_entry() {
  if (!largest_entry_) largest_entry_ = heatfront::largest_entry(laplacian_);
  return *largest_entry_;
}

double Flow::time() const { return laplacian_.lowest() == 0 ? 0 : options_.time; }

Temperatures Flow::solve(Matrix start) {
  require_count("rows of the start", start.rows(), graph_.nodes(), "one per node");
  const bool forever = is_forever(options_);
  if (forever && !at_rest_)
    at_rest_ = std::make_unique<HarmonicExtension>(laplacian_, held_.rows(), options_);
  if (!forever) require_followable(-laplacian_.lowest() / 2 * time());

  Temperatures result{.values = in_inner_order(std::move(start))};
  Matrix& values = result.values;
  held_.keep(values);
  result.column_errors.resize(at(values.cols()));
  const double entry = largest_entry();
  const std::int64_t width = columns_at_once(values.rows(), values.cols(), options_);
  const bool in_place = width == values.cols() && !(forever && values.stride() == values.cols());
  for (std::int64_t first = 0; first < values.cols(); first += width) {
    const std::int64_t count = std::min(width, values.cols() - first);
    Matrix block;
    if (!in_place) {
      block = Matrix(values.rows(), count, padded_width(count + (forever ? 1 : 0)));
      copy_columns(values, first, block, 0, count);
    }
    const MatrixView state = in_place ? values.view() : block.view();
    SolveReport report;
    if (forever) {
      const HarmonicExtension::Answer answer = at_rest_->solve(state);
      report = answer.report;
      std::ranges::copy(answer.column_errors, result.column_errors.begin() + first);
    } else {
      laplacian_.enter(state);
      const std::vector<double> norms = column_norms(laplacian_, state);
      require_representable(laplacian_, state);
      report = solver_->solve(laplacian_, time(), state, nullptr);
      laplacian_.leave(state);
      for (std::int64_t c = 0; c < count; ++c)
        result.column_errors[at(first + c)] = entry * norms[at(c)] * column_error(report, c);
    }
    if (!in_place) copy_columns(block, 0, values, first, count);
    add_report(result.report, report);
  }
  held_.restore(values);
  values = in_users_order(std::move(values));
  return result;
}

SolveReport Flow::forward(MatrixView state, Trace* trace) {
  assert(solver_ && !reorders());
  held_.keep(state);
  laplacian_.enter(state);
  const SolveReport report = solver_->solve(laplacian_, options_.time, state, trace);
  laplacian_.leave(state);
  held_.restore(state);
  return report;
}

SolveReport Flow::backward(const Trace& trace, MatrixView gradient, OperatorGradient* d_operator) {
  assert(solver_ && !reorders());
  if (d_operator != nullptr) {
    std::ranges::fill(d_operator->entries, Real(0));
    std::ranges::fill(d_operator->diagonal, Real(0));
  }
  laplacian_.enter_adjoint(gradient);
  const SolveReport report = solver_->backward(laplacian_, options_.time, trace, gradient, d_operator);
  laplacian_.leave_adjoint(gradient);
  return report;
}

void Flow::weight_gradient(const OperatorGradient& gradient, ConstMatrixView start, ConstMatrixView d_start,
                           ConstMatrixView end, ConstMatrixView d_end, ArcPairs& pairs,
                           Laplacian::WeightGradient& result) const {
  laplacian_.weight_gradient(gradient, start, d_start, end, d_end, pairs.reverse(), result);
}

Matrix Flow::shares_of(std::span<const NodeId> nodes, double tolerance) {
  require_ids("nodes", nodes, 0, graph_.nodes());
  Matrix shares = padded_matrix(graph_.nodes(), std::ssize(nodes));
  for (std::size_t i = 0; i < nodes.size(); ++i) shares(inner(nodes[i]), static_cast<std::int64_t>(i)) = 1;
  laplacian_.enter_adjoint(shares);
  Chebyshev({.tolerance = std::min(options_.solve.tolerance, tolerance)})
      .backward(laplacian_, time(), {}, shares, nullptr);
  laplacian_.leave_adjoint(shares);
  return in_users_order(std::move(shares));
}

Matrix Flow::mean_heat_from(std::span<const NodeId> sources, double tolerance) {
  require_ids("sources", sources, 0, graph_.nodes());
  Matrix heat = padded_matrix(graph_.nodes(), std::ssize(sources));
  for (std::size_t i = 0; i < sources.size(); ++i) heat(inner(sources[i]), static_cast<std::int64_t>(i)) = 1;
  laplacian_.enter(heat);
  time_solver("implicit-euler", {.tolerance = tolerance, .step = options_.time})
      ->solve(laplacian_, options_.time, heat, nullptr);
  laplacian_.leave(heat);
  return in_users_order(std::move(heat));
}

const Components& Flow::components() {
  if (!components_) components_ = connected_components(graph_, weights_);
  return *components_;
}

}  // namespace heatfront
