// SPDX-License-Identifier: MIT
// Sparse matrices in compressed rows: the entries of row i are offsets[i] … offsets[i+1]−1, by ascending
// column, no column twice, no stored zeros (canonical() makes it so).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/types.h"

namespace heatfront {

struct SparseMatrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> offsets = {0};  // rows + 1
  std::vector<std::int32_t> columns;
  std::vector<Real> values;  // empty where a function says so: all 1

  std::int64_t entries() const { return static_cast<std::int64_t>(columns.size()); }
  std::span<const std::int32_t> row_columns(std::int64_t i) const {
    return std::span(columns).subspan(begin_of(i), begin_of(i + 1) - begin_of(i));
  }
  std::span<const Real> row_values(std::int64_t i) const {
    return std::span(values).subspan(begin_of(i), begin_of(i + 1) - begin_of(i));
  }

 private:
  std::size_t begin_of(std::int64_t i) const {
    return static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]);
  }
};

// A matrix of compressed rows, lent: row i is begins[i] … ends[i]−1, which need not follow each other.
struct SparseView {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  const std::int64_t* begins = nullptr;
  const std::int64_t* ends = nullptr;
  const std::int32_t* columns = nullptr;
  const Real* values = nullptr;  // null: all 1

  std::int64_t entries() const;
};

SparseView view_of(const SparseMatrix& matrix);

// Aᵀ, its rows by ascending column, into `result`, which keeps its memory from call to call. `result` may come
// without values: where A has none.
void transpose(const SparseView& matrix, SparseMatrix& result);

// Error unless offsets and columns are those of such a matrix, in any order within a row, and there is a value for each
// column.
void check(const SparseMatrix& matrix);

// The same matrix with every row sorted, repeated entries summed and zeros dropped.
SparseMatrix canonical(SparseMatrix matrix);

}  // namespace heatfront
