// SPDX-License-Identifier: MIT
// Sparse matrices by their arrays, as scipy has them, checked:
//
//   csr   shape, indptr, indices, data   row i has the columns indices[k], k = indptr[i] … indptr[i+1]−1
//   csc   the same of the transpose
//   coo   shape, row, col, data          one entry each
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront/base/types.h"
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

// Entries in any order; without values where all are 1.
struct MatrixEntries {
  std::vector<std::int32_t> rows, columns;
  std::vector<Real> values;
};
SparseMatrix matrix_of(const MatrixEntries& entries, std::int64_t rows, std::int64_t cols);  // not canonical

SparseMatrix sparse_of(const Matrix& dense);

// One class per row that has a single 1 in its column, kUnknown where a row has nothing; any other row is an Error.
std::vector<ClassId> one_hot_classes(SparseMatrix rows, const std::string& where);

}  // namespace heatfront
