// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/sparse_arrays.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace {

void check_length(const NpyArray& array, std::int64_t needed, std::string_view reason) {
  if (array.dimensions() == 1 && array.count() == needed) return;
  fail("{} has shape ({}), but {} entries are needed: {}", array.where(), join(array.shape(), ", "), needed,
       reason);
}

void check_offsets(std::span<const std::int64_t> offsets, const NpyArray& array) {
  if (offsets.front() != 0) fail("{} begins with {}; it must begin with 0", array.where(), offsets.front());
  const auto down = std::ranges::adjacent_find(offsets, std::greater<>());
  if (down == offsets.end()) return;
  fail("{}: entry {} is {}, after {}; entries must not decrease", array.where(), down - offsets.begin() + 1,
       *(down + 1), *down);
}

std::vector<std::int32_t> indices_below(std::int64_t end, const NpyArray& array) {
  std::vector<std::int32_t> indices = to_int32(array);
  const auto bad = std::ranges::find_if(indices, [&](std::int32_t i) { return i < 0 || i >= end; });
  if (bad == indices.end()) return indices;
  fail("{}: entry {} is {}; it must be from 0 to {}", array.where(), bad - indices.begin(), *bad, end - 1);
}

// Rows that no array bears out, one by one, are believed as far as the entries make them likely.
void check_rows(std::int64_t rows, std::int64_t entries, const std::string& where) {
  constexpr std::int64_t kAlwaysAllowed = 1'000'000;
  if (rows <= std::max(kAlwaysAllowed, 100 * entries)) return;
  fail("{}: {} rows for {} entries; number the rows from 0 up", where, rows, entries);
}

void take_values(const SparseArrays& arrays, std::string_view beside, SparseMatrix& matrix) {
  const std::optional<NpyArray> data = arrays.take("data");
  if (!data) return;
  check_length(*data, matrix.entries(), fmt::format("{}{} has as many", arrays.prefix, beside));
  matrix.values = to_reals(*data);
}

// `matrix` has its shape.
void take_compressed(const SparseArrays& arrays, std::string_view line, SparseMatrix& matrix) {
  const NpyArray indptr = *arrays.take("indptr");
  check_length(indptr, matrix.rows + 1, fmt::format("one per {}, and one more", line));
  matrix.offsets = to_int64(indptr);
  check_offsets(matrix.offsets, indptr);
  {
    const NpyArray indices = *arrays.take("indices");
    check_length(indices, matrix.offsets.back(), arrays.prefix + "indptr ends with that");
    matrix.columns = indices_below(matrix.cols, indices);
  }
  take_values(arrays, "indices", matrix);
}

// Entry k, which `entries` has the column and value of, into row row_of[k].
SparseMatrix by_rows(const SparseMatrix& entries, std::span<const std::int32_t> row_of, std::int64_t rows) {
  SparseMatrix result{.rows = rows, .cols = entries.cols};
  result.offsets.assign(at(rows) + 1, 0);
  for (const std::int32_t row : row_of) ++result.offsets[at(row) + 1];
  for (std::size_t i = 0; i < at(rows); ++i) result.offsets[i + 1] += result.offsets[i];
  result.columns.resize(entries.columns.size());
  result.values.resize(entries.values.size());
  std::vector<std::int64_t> next = result.offsets;
  for (std::size_t k = 0; k < row_of.size(); ++k) {
    const std::size_t place = at(next[at(row_of[k])]++);
    result.columns[place] = entries.columns[k];
    if (!entries.values.empty()) result.values[place] = entries.values[k];
  }
  return result;
}

}  // namespace

SparseMatrix read_sparse(const SparseArrays& arrays) {
  const NpyArray shape = *arrays.take("shape");
  check_length(shape, 2, "rows and columns");
  const auto sizes = indices_below(std::int64_t(std::numeric_limits<std::int32_t>::max()) + 1, shape);
  SparseMatrix matrix{.rows = sizes[0], .cols = sizes[1]};
  if (arrays.format == "csr") {
    take_compressed(arrays, "row", matrix);
    return matrix;
  }
  if (arrays.format == "csc") {
    std::swap(matrix.rows, matrix.cols);
    take_compressed(arrays, "column", matrix);
    check_rows(matrix.cols, matrix.entries(), shape.where());
    SparseMatrix result;
    transpose(view_of(matrix), result);
    return result;
  }
  if (arrays.format != "coo")
    fail("{}: a sparse matrix of format '{}'; csr, csc and coo are read", shape.where(), arrays.format);
  const NpyArray row = *arrays.take("row");
  check_length(row, row.count(), "one each");
  const std::vector<std::int32_t> row_of = indices_below(matrix.rows, row);
  check_rows(matrix.rows, row.count(), shape.where());
  const NpyArray col = *arrays.take("col");
  check_length(col, row.count(), arrays.prefix + "row has as many");
  matrix.columns = indices_below(matrix.cols, col);
  take_values(arrays, "row", matrix);
  return by_rows(matrix, row_of, matrix.rows);
}

}  // namespace heatfront
