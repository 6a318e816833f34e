// SPDX-License-Identifier: MIT
#include "heatfront/flow/field_propagation.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/sparse_product.h"
#include "heatfront/graph/weighted_degree.h"

namespace heatfront {
namespace {

// 1/√d; a node without edge and loop keeps what it has.
double inverse_root(const Graph& graph, std::span<const Real> weights, double self_loop, NodeId u) {
  const double degree = weighted_degree(graph, weights, self_loop, u);
  return degree > 0 ? 1 / std::sqrt(degree) : 0;
}

}  // namespace

FieldPropagation::FieldPropagation(const Graph& graph, std::span<const Real> weights, double self_loop,
                                   const Neighbourhood& field)
    : matrix_{.rows = std::ssize(field.nodes), .cols = std::ssize(field.nodes)} {
  std::vector<double> scale;
  for (NodeId u : field.nodes) scale.push_back(inverse_root(graph, weights, self_loop, u));
  const auto add = [&](NodeId v, double value) {
    matrix_.columns.push_back(v);
    matrix_.values.push_back(static_cast<Real>(value));
  };
  for (NodeId u = 0; u < field.graph.nodes(); ++u) {
    const double own = scale[at(u)];
    const double loop = own > 0 ? own * own * self_loop : 1;
    bool looped = loop == 0;
    for (ArcId arc = field.graph.begin_of(u); arc < field.graph.begin_of(u + 1); ++arc) {
      const NodeId v = field.graph.targets()[at(arc)];
      if (!looped && v > u) add(u, loop);
      looped = looped || v > u;
      const double weight = weights.empty() ? 1 : static_cast<double>(weights[at(field.arcs[at(arc)])]);
      add(v, own * scale[at(v)] * weight);
    }
    if (!looped) add(u, loop);
    matrix_.offsets.push_back(matrix_.entries());
  }
  for (std::int64_t columns : field.within) {
    std::vector<std::int64_t>& ends = ends_[columns];
    if (!ends.empty()) continue;
    for (std::int64_t u = 0; u < matrix_.rows; ++u) {
      const auto row = matrix_.row_columns(u);
      ends.push_back(matrix_.offsets[at(u)] + (std::ranges::lower_bound(row, columns) - row.begin()));
    }
  }
}

void FieldPropagation::multiply(ConstMatrixView x, std::span<const Real> bias, MatrixView y,
                                Threads& threads) {
  SparseView rows = view_of(matrix_);
  rows.rows = y.rows;
  rows.cols = x.rows;
  sparse_times_dense(rows, x, bias, y, threads);
  ++products_;
}

void FieldPropagation::multiply_transposed(ConstMatrixView y, MatrixView x, Threads& threads) {
  SparseView rows = view_of(matrix_);
  rows.rows = x.rows;
  rows.cols = y.rows;
  rows.ends = ends_.at(y.rows).data();
  sparse_times_dense(rows, y, {}, x, threads);
  ++products_;
}

}  // namespace heatfront
