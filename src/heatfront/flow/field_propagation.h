// SPDX-License-Identifier: MIT
// The symmetric adjacency S of a graph (propagation.h) on a neighbourhood of some of its nodes, degrees being those of
// the whole graph. Of the nodes of the neighbourhood the first ones take from their neighbours, as many as a result has
// rows; all of these neighbours have to be among the rows of what is multiplied.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront/graph/graph.h"
#include "heatfront/graph/neighbourhood.h"

namespace heatfront {

class FieldPropagation {
 public:
  FieldPropagation(const Graph& graph, std::span<const Real> weights, double self_loop,
                   const Neighbourhood& field);

  // y ← S x + bias. All states are padded alike (padded_matrix), and the bias as a row.
  void multiply(ConstMatrixView x, std::span<const Real> bias, MatrixView y, Threads& threads);

  // x ← Sᵀ y, with the rows of S that y has.
  void multiply_transposed(ConstMatrixView y, MatrixView x, Threads& threads);

  std::int64_t products() const { return products_; }  // so far

 private:
  SparseMatrix matrix_;  // S, by ascending column
  std::map<std::int64_t, std::vector<std::int64_t>>
      ends_;  // of the entries of a row that are among so many columns
  std::int64_t products_ = 0;
};

}  // namespace heatfront
