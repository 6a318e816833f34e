// SPDX-License-Identifier: MIT
// Sparse matrices by their arrays, as scipy has them, checked:
//
//   csr   shape, indptr, indices, data   row i has the columns indices[k], k = indptr[i] … indptr[i+1]−1
//   csc   the same of the transpose
//   coo   shape, row, col, data          an entry each
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "heatfront/base/sparse_matrix.h"
#include "heatfront_io/arrays/npy.h"

namespace heatfront {

struct SparseArrays {
  std::string format = "csr";
  std::string prefix;  // of the names below, for messages
  // Each is asked for once. Error where there is none, but for "data", without which all values are 1.
  std::function<std::optional<NpyArray>(std::string_view name)> take;
};

// Rows may be out of order and repeat columns; values are empty where there is no data.
SparseMatrix read_sparse(const SparseArrays& arrays);

}  // namespace heatfront
