// SPDX-License-Identifier: MIT
#include "heatfront/nn/network_input.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"
#include "heatfront/base/sparse_product.h"

namespace heatfront {

Matrix product_of(const InputView& x, ConstMatrixView w, Threads& threads) {
  Matrix result = padded_matrix(x.rows(), w.cols);
  if (x.is_sparse()) {
    sparse_times_dense(x.sparse, w, {}, result, threads);
  } else {
    multiply(x.dense, w, result, threads);
  }
  return result;
}

Matrix transposed_product_of(const InputView& x, ConstMatrixView a, Threads& threads) {
  Matrix result = padded_matrix(x.cols(), a.cols);
  if (x.is_sparse()) {
    sparse_times_dense(x.transposed, a, {}, result, threads);
  } else {
    multiply_transposed(x.dense, a, result, threads);
  }
  return result;
}

NetworkInput::NetworkInput(ConstMatrixView dense) : dense_(padded_matrix(dense.rows, dense.cols)) {
  if (dense.rows == 0) {  // of which a view would not say how many columns there are
    sparse_.cols = dense.cols;
    transpose(view_of(sparse_), transposed_);
    return;
  }
  for (std::int64_t u = 0; u < dense.rows; ++u) std::ranges::copy(dense.row(u), dense_.row(u).begin());
}

NetworkInput::NetworkInput(SparseMatrix sparse) : sparse_(std::move(sparse)) {
  if (std::ranges::all_of(sparse_.values, [](Real x) { return x == 1; })) sparse_.values.clear();
  transpose(view_of(sparse_), transposed_);
}

NetworkInput NetworkInput::of_rows(std::span<const NodeId> rows) const {
  if (dense_.rows() > 0) {
    Matrix part(std::ssize(rows), dense_.cols());
    for (std::int64_t i = 0; i < part.rows(); ++i)
      std::ranges::copy(dense_.row(rows[at(i)]), part.row(i).begin());
    return NetworkInput(part.view());
  }
  SparseMatrix part{.rows = std::ssize(rows), .cols = sparse_.cols};
  for (NodeId u : rows) {
    const auto columns = sparse_.row_columns(u);
    part.columns.insert(part.columns.end(), columns.begin(), columns.end());
    if (!sparse_.values.empty()) {
      const auto values = sparse_.row_values(u);
      part.values.insert(part.values.end(), values.begin(), values.end());
    }
    part.offsets.push_back(part.entries());
  }
  return NetworkInput(std::move(part));
}

InputView NetworkInput::view() const {
  if (dense_.rows() > 0) return dense_.view();
  return {view_of(sparse_), view_of(transposed_)};
}

}  // namespace heatfront
