// SPDX-License-Identifier: MIT
// What a network sees of every node: dense rows, or sparse ones with their transpose for the way back.
#pragma once

#include <cstdint>

#include "heatfront/base/matrix.h"
#include "heatfront/base/sparse_matrix.h"

namespace heatfront {

class NetworkInput {
 public:
  explicit NetworkInput(ConstMatrixView dense);
  explicit NetworkInput(SparseMatrix sparse);  // without values where all of them are 1

  bool is_sparse() const { return dense_.rows() == 0; }
  std::int64_t rows() const { return is_sparse() ? sparse_.rows : dense_.rows(); }
  std::int64_t cols() const { return is_sparse() ? sparse_.cols : dense_.cols(); }

  ConstMatrixView dense() const { return dense_; }
  SparseView sparse() const { return view_of(sparse_); }
  SparseView transposed() const { return view_of(transposed_); }

 private:
  Matrix dense_;  // padded
  SparseMatrix sparse_, transposed_;
};

}  // namespace heatfront
