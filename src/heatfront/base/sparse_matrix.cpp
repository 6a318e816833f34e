// SPDX-License-Identifier: MIT
#include "heatfront/base/sparse_matrix.h"

#include <algorithm>
#include <utility>

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

SparseMatrix canonical(SparseMatrix matrix) {
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

}  // namespace heatfront
