// SPDX-License-Identifier: MIT
// What a network sees of every node: dense rows, or sparse ones with their transpose for the way back.
#pragma once

#include <cstdint>
#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/sparse_matrix.h"

namespace heatfront {

// Lent: data, what dropout left of them, or the state of a hidden layer.
struct InputView {
  InputView(ConstMatrixView rows) : dense(rows) {}
  InputView(MatrixView rows) : dense(rows) {}
  InputView(const SparseView& rows, const SparseView& columns) : sparse(rows), transposed(columns) {}

  bool is_sparse() const { return dense.data == nullptr; }
  std::int64_t rows() const { return is_sparse() ? sparse.rows : dense.rows; }
  std::int64_t cols() const { return is_sparse() ? sparse.cols : dense.cols; }

  ConstMatrixView dense;
  SparseView sparse, transposed;
};

Matrix product_of(const InputView& x, ConstMatrixView w, Threads& threads);             // X w: padded
Matrix transposed_product_of(const InputView& x, ConstMatrixView a, Threads& threads);  // Xᵀ a: padded

class NetworkInput {
 public:
  explicit NetworkInput(ConstMatrixView dense);
  explicit NetworkInput(SparseMatrix sparse);  // without values where all of them are 1

  NetworkInput of_rows(std::span<const NodeId> rows) const;  // a copy of these, in this order

  InputView view() const;
  operator InputView() const { return view(); }
  std::int64_t rows() const { return view().rows(); }
  std::int64_t cols() const { return view().cols(); }

 private:
  Matrix dense_;  // padded
  SparseMatrix sparse_, transposed_;
};

}  // namespace heatfront
