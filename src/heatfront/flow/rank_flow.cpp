// SPDX-License-Identifier: MIT
#include "heatfront/flow/rank_flow.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/column_reports.h"
#include "heatfront/flow/curve_flow.h"
#include "heatfront/flow/flow_memory.h"
#include "heatfront/flow/laplacian_row.h"
#include "heatfront/solve/chebyshev.h"
#include "heatfront/solve/chebyshev_series.h"

namespace heatfront {
namespace {

const FlowOptions& checked_for_ranks(const FlowOptions& options) {
  check(options);
  if (is_forever(options))
    fail("time inf: a graph in parts is solved to a time; give a long one, or solve the graph as a whole");
  if (options.reorder != Reordering::none)
    fail("a graph in parts keeps the order that its partition gave it; leave --reorder away");
  return options;
}

// Values of rows, and behind those of the boundary what else it reads.
template <class Value>
class Strip {
 public:
  Strip(const RankGraph& graph, const Cluster& cluster)
      : graph_(graph), halo_(cluster.halo(graph.rows, graph.ghosts)), values_(at(graph.strip_rows())) {}

  const std::vector<Value>& of(const std::vector<Value>& rows) {
    fetch_rows<Value>(*halo_, rows, std::span(values_).subspan(at(graph_.first_ghost())));
    std::copy(rows.begin() + graph_.inside_rows, rows.end(), values_.begin());
    for (std::size_t i = 0; i < graph_.kept.size(); ++i)
      values_[at(graph_.first_kept()) + i] = rows[at(graph_.kept[i])];
    return values_;
  }

 private:
  const RankGraph& graph_;
  std::unique_ptr<Halo> halo_;
  std::vector<Value> values_;
};

}  // namespace

RankFlow::RankFlow(const RankGraph& graph, const FlowOptions& options, const Cluster& cluster,
                   Threads& threads)
    : graph_(graph),
      options_(checked_for_ranks(options)),
      cluster_(cluster),
      laplacian_(graph, options.laplacian, options.lambda, cluster, threads),
      solver_(time_solver(solver_of(options).name, options.solve)) {}

void RankFlow::hold(std::span<const NodeId> rows) {
  laplacian_.clamp(rows);
  held_.hold({rows.begin(), rows.end()});
}

std::int64_t RankFlow::most_rows() const {
  return static_cast<std::int64_t>(
      cluster_.ranks().largest(static_cast<double>(graph_.rows + graph_.strip_rows())));
}

double RankFlow::time() const { return laplacian_.lowest() == 0 ? 0 : options_.time; }

Temperatures RankFlow::solve(Matrix start) {
  require_count("rows of the start", start.rows(), graph_.rows, "one per row of this rank");
  require_followable(-laplacian_.lowest() / 2 * time());
  Temperatures result{.values = std::move(start)};
  Matrix& values = result.values;
  held_.keep(values);
  result.column_errors.resize(at(values.cols()));
  const double entry = largest_entry(laplacian_);
  const std::int64_t width = columns_at_once(most_rows(), values.cols(), options_);
  for (std::int64_t first = 0; first < values.cols(); first += width) {
    const std::int64_t count = std::min(width, values.cols() - first);
    const bool whole = count == values.cols();
    Matrix block = whole ? Matrix() : padded_matrix(values.rows(), count);
    for (std::int64_t u = 0; u < block.rows(); ++u)
      std::copy_n(values.row(u).begin() + first, count, block.row(u).begin());
    const MatrixView state = whole ? values.view() : block.view();
    laplacian_.enter(state);
    const std::vector<double> norms = column_norms(laplacian_, state);
    require_representable(laplacian_, laplacian_.degrees(), state);
    const SolveReport report = solver_->solve(laplacian_, time(), state, nullptr);
    laplacian_.leave(state);
    for (std::int64_t c = 0; c < count; ++c)
      result.column_errors[at(first + c)] = entry * norms[at(c)] * column_error(report, c);
    for (std::int64_t u = 0; u < block.rows(); ++u)
      std::copy_n(block.row(u).begin(), count, values.row(u).begin() + first);
    add_report(result.report, report);
  }
  held_.restore(values);
  return result;
}

SolveReport RankFlow::curve(std::span<const double> times, Matrix start, const VisitTime& visit) {
  require_count("rows of the start", start.rows(), graph_.rows, "one per row of this rank");
  held_.keep(start);
  const CurveFlow flow{
      .a = laplacian_,
      .options = options_,
      .rows = most_rows(),
      .enter = [&](MatrixView state) { laplacian_.enter(state); },
      .leave =
          [&](MatrixView state) {
            laplacian_.leave(state);
            held_.restore(state);
          },
      .require_representable =
          [&](ConstMatrixView state) { require_representable(laplacian_, laplacian_.degrees(), state); }};
  return curve_of(flow, times, std::move(start), visit);
}

SolveReport RankFlow::forward(MatrixView state, Trace* trace) {
  held_.keep(state);
  laplacian_.enter(state);
  const SolveReport report = solver_->solve(laplacian_, options_.time, state, trace);
  laplacian_.leave(state);
  held_.restore(state);
  return report;
}

SolveReport RankFlow::backward(const Trace& trace, MatrixView gradient, OperatorGradient* d_operator) {
  if (d_operator != nullptr) {
    std::ranges::fill(d_operator->entries, Real(0));
    std::ranges::fill(d_operator->diagonal, Real(0));
  }
  laplacian_.enter_adjoint(gradient);
  const SolveReport report = solver_->backward(laplacian_, options_.time, trace, gradient, d_operator);
  laplacian_.leave_adjoint(gradient);
  return report;
}

Matrix RankFlow::shares_of(Matrix indicators, double tolerance) {
  laplacian_.enter_adjoint(indicators);
  Chebyshev({.tolerance = std::min(options_.solve.tolerance, tolerance)})
      .backward(laplacian_, time(), {}, indicators, nullptr);
  laplacian_.leave_adjoint(indicators);
  return indicators;
}

Matrix RankFlow::mean_heat_from(Matrix indicators, double tolerance) {
  laplacian_.enter(indicators);
  time_solver("implicit-euler", {.tolerance = tolerance, .step = options_.time})
      ->solve(laplacian_, options_.time, indicators, nullptr);
  laplacian_.leave(indicators);
  return indicators;
}

namespace {

// Rows that edges join, by union-find: it takes the edges in any order, so in that in which they lie, which may be on disk.
class JoinedRows {
 public:
  explicit JoinedRows(std::int64_t rows) : above_(at(rows)) { std::iota(above_.begin(), above_.end(), 0); }

  // One row for all that are joined.
  std::int64_t root(std::int64_t u) {
    while (above_[at(u)] != u) {
      above_[at(u)] = above_[at(above_[at(u)])];
      u = above_[at(u)];
    }
    return u;
  }
  void join(std::int64_t u, std::int64_t v) {
    const auto [low, high] = std::minmax({root(u), root(v)});
    above_[at(high)] = static_cast<NodeId>(low);
  }

 private:
  std::vector<NodeId> above_;
};

bool carries_heat(const RowBlock& block, ArcId arc) {
  return block.weights.empty() || block.weights[at(arc)] > 0;
}

JoinedRows joined_rows(const RankGraph& graph) {
  JoinedRows joined(graph.rows);
  const auto join = [&](const RowBlock& block, std::int64_t first_row, const auto& row_of_target) {
    for (std::int64_t i = 0; i < block.rows(); ++i) {
      for (ArcId arc = block.offsets[at(i)]; arc < block.offsets[at(i) + 1]; ++arc) {
        const std::int64_t to = row_of_target(block.first + block.targets[at(arc)]);
        if (to >= 0 && carries_heat(block, arc)) joined.join(first_row + i, to);
      }
    }
  };
  for (const RowBlock& block : graph.inside) join(block, block.first, [](std::int64_t to) { return to; });
  join(graph.boundary, graph.inside_rows, [&](std::int64_t to) -> std::int64_t {
    if (to < graph.first_kept()) return graph.inside_rows + to;
    return to < graph.first_ghost() ? graph.kept[at(to - graph.first_kept())] : -1;
  });
  return joined;
}

}  // namespace

// Rows that are joined on a rank are reached together; who is reached tells the others, until nobody has anything new to tell.
std::vector<bool> RankFlow::reached_from(std::span<const NodeId> rows) {
  JoinedRows joined = joined_rows(graph_);
  std::vector<std::int32_t> reached(at(graph_.rows));
  const auto reach = [&](std::int64_t u) { return std::exchange(reached[at(joined.root(u))], 1) == 0; };
  for (NodeId u : rows) reach(u);
  Strip<std::int32_t> strip(graph_, cluster_);
  for (bool more = true; more;) {
    for (std::int64_t u = 0; u < graph_.rows; ++u) reached[at(u)] = reached[at(joined.root(u))];
    const std::vector<std::int32_t>& of_strip = strip.of(reached);
    const RowBlock& boundary = graph_.boundary;
    more = false;
    for (std::int64_t i = 0; i < boundary.rows(); ++i) {
      for (ArcId arc = boundary.offsets[at(i)]; arc < boundary.offsets[at(i) + 1]; ++arc) {
        const std::int64_t to = boundary.targets[at(arc)];
        if (to >= graph_.first_ghost() && of_strip[at(to)] != 0 && carries_heat(boundary, arc))
          more = reach(graph_.inside_rows + i) || more;
      }
    }
    more = cluster_.ranks().largest(more ? 1 : 0) != 0;
  }
  return {reached.begin(), reached.end()};
}

double RankFlow::dirichlet_energy(ConstMatrixView state) {
  const LaplacianEntry& kind = entry_of(options_.laplacian.kind);
  std::vector<double> root(at(graph_.rows), 1);
  const auto for_rows = [&](const auto& each) {
    for (const RowBlock& block : graph_.inside) {
      for (std::int64_t i = 0; i < block.rows(); ++i) each(block, i, block.first + i, true);
    }
    for (std::int64_t i = 0; i < graph_.boundary.rows(); ++i)
      each(graph_.boundary, i, graph_.inside_rows + i, false);
  };
  if (kind.by_degree) {
    for_rows([&](const RowBlock& block, std::int64_t i, std::int64_t u, bool) {
      const ArcId begin = block.offsets[at(i)], end = block.offsets[at(i) + 1];
      double degree = options_.laplacian.self_loop;
      if (block.weights.empty()) degree += static_cast<double>(end - begin);
      for (ArcId arc = begin; arc < end && !block.weights.empty(); ++arc)
        degree += static_cast<double>(block.weights[at(arc)]);
      if (degree > 0) root[at(u)] = 1 / std::sqrt(degree);
    });
  }
  Strip<double> strip(graph_, cluster_);
  std::vector<double> f(root.size());
  double energy = 0;
  for (std::int64_t c = 0; c < state.cols; ++c) {
    for (std::size_t u = 0; u < f.size(); ++u)
      f[u] = root[u] * static_cast<double>(state(static_cast<std::int64_t>(u), c));
    const std::vector<double>& of_strip = strip.of(f);
    double sum = 0;
    for_rows([&](const RowBlock& block, std::int64_t i, std::int64_t u, bool inside) {
      for (ArcId arc = block.offsets[at(i)]; arc < block.offsets[at(i) + 1]; ++arc) {
        const std::size_t to = at(block.first + block.targets[at(arc)]);
        const double weight = block.weights.empty() ? 1 : static_cast<double>(block.weights[at(arc)]);
        const double slope = std::sqrt(weight) * ((inside ? f[to] : of_strip[to]) - f[at(u)]);
        sum += slope * slope;
      }
    });
    energy += sum / 2;
  }
  return cluster_.ranks().sum(energy);
}

}  // namespace heatfront
