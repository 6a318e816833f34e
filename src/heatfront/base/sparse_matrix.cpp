// SPDX-License-Identifier: MIT
#include "heatfront/base/sparse_matrix.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/checks.h"

namespace heatfront {
namespace {

bool is_canonical(const SparseMatrix& matrix) {
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const auto columns = matrix.row_columns(i);
    if (std::ranges::adjacent_find(columns, std::greater_equal<>()) != columns.end()) return false;
  }
  return std::ranges::find(matrix.values, Real(0)) == matrix.values.end();
}

}  // namespace

void check(const SparseMatrix& matrix) {
  const std::span<const std::int64_t> offsets(matrix.offsets);
  if (matrix.rows < 0 || matrix.cols < 0 || std::ssize(offsets) != matrix.rows + 1)
    fail("sparse matrix: {} offsets for {} rows; there must be one more than rows", offsets.size(),
         matrix.rows);
  if (offsets.front() != 0 || offsets.back() != matrix.entries() || !std::ranges::is_sorted(offsets))
    fail("sparse matrix: offsets must go from 0 to the number of columns listed, {}, and not decrease",
         matrix.entries());
  require_ids("sparse matrix: columns", matrix.columns, 0, matrix.cols);
  require_count("sparse matrix: values", std::ssize(matrix.values), matrix.entries(),
                "one for each column listed");
}

SparseMatrix canonical(SparseMatrix matrix) {
  check(matrix);
  if (is_canonical(matrix)) return matrix;
  SparseMatrix result{.rows = matrix.rows, .cols = matrix.cols};
  result.offsets.reserve(matrix.offsets.size());
  std::vector<std::pair<std::int32_t, Real>> row;
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const auto columns = matrix.row_columns(i);
    const auto values = matrix.row_values(i);
    row.clear();
    for (std::size_t k = 0; k < columns.size(); ++k) row.emplace_back(columns[k], values[k]);
    std::ranges::stable_sort(row, {}, &std::pair<std::int32_t, Real>::first);
    for (std::size_t k = 0; k < row.size();) {
      const std::int32_t column = row[k].first;
      Real sum = 0;
      for (; k < row.size() && row[k].first == column; ++k) sum += row[k].second;
      if (sum == 0) continue;
      result.columns.push_back(column);
      result.values.push_back(sum);
    }
    result.offsets.push_back(result.entries());
  }
  return result;
}

std::int64_t SparseView::entries() const {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < rows; ++i) count += ends[i] - begins[i];
  return count;
}

SparseView view_of(const SparseMatrix& matrix) {
  return {.rows = matrix.rows,
          .cols = matrix.cols,
          .begins = matrix.offsets.data(),
          .ends = matrix.offsets.data() + 1,
          .columns = matrix.columns.data(),
          .values = matrix.values.empty() ? nullptr : matrix.values.data()};
}

void transpose(const SparseView& matrix, SparseMatrix& result) {
  result.rows = matrix.cols;
  result.cols = matrix.rows;
  result.offsets.assign(static_cast<std::size_t>(matrix.cols) + 1, 0);
  const auto offset = [&](std::int64_t j) -> std::int64_t& {
    return result.offsets[static_cast<std::size_t>(j)];
  };
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t k = matrix.begins[i]; k < matrix.ends[i]; ++k) ++offset(matrix.columns[k] + 1);
  }
  for (std::int64_t j = 0; j < matrix.cols; ++j) offset(j + 1) += offset(j);
  const auto entries = static_cast<std::size_t>(offset(matrix.cols));
  result.columns.resize(entries);
  result.values.resize(matrix.values == nullptr ? 0 : entries);
  for (std::int64_t i = 0; i < matrix.rows; ++i) {  // offset(j) runs to the end of row j …
    for (std::int64_t k = matrix.begins[i]; k < matrix.ends[i]; ++k) {
      const auto place = static_cast<std::size_t>(offset(matrix.columns[k])++);
      result.columns[place] = static_cast<std::int32_t>(i);
      if (matrix.values != nullptr) result.values[place] = matrix.values[k];
    }
  }
  for (std::int64_t j = matrix.cols; j > 0; --j) offset(j) = offset(j - 1);  // … and is set back
  offset(0) = 0;
}

}  // namespace heatfront
