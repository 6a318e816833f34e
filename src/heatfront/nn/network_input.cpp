// SPDX-License-Identifier: MIT
#include "heatfront/nn/network_input.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/linear_algebra.h"

namespace heatfront {

NetworkInput::NetworkInput(ConstMatrixView dense) : dense_(padded_matrix(dense.rows, dense.cols)) {
  for (std::int64_t u = 0; u < dense.rows; ++u) std::ranges::copy(dense.row(u), dense_.row(u).begin());
}

NetworkInput::NetworkInput(SparseMatrix sparse) : sparse_(std::move(sparse)) {
  if (std::ranges::all_of(sparse_.values, [](Real x) { return x == 1; })) sparse_.values.clear();
  transpose(view_of(sparse_), transposed_);
}

InputView NetworkInput::view() const {
  if (dense_.rows() > 0) return dense_.view();
  return {view_of(sparse_), view_of(transposed_)};
}

}  // namespace heatfront
