// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/feature_entries.h"

#include <numeric>
#include <utility>

namespace heatfront {

SparseMatrix sparse_matrix_of(const FeatureEntries& entries, std::int64_t rows, std::int64_t cols) {
  SparseMatrix matrix{.rows = rows, .cols = cols};
  matrix.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const std::int32_t row : entries.rows) ++matrix.offsets[static_cast<std::size_t>(row) + 1];
  std::partial_sum(matrix.offsets.begin(), matrix.offsets.end(), matrix.offsets.begin());
  matrix.columns.resize(entries.rows.size());
  matrix.values.resize(entries.rows.size());
  std::vector<std::int64_t> next(matrix.offsets.begin(), matrix.offsets.end() - 1);
  for (std::size_t k = 0; k < entries.rows.size(); ++k) {
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(entries.rows[k])]++);
    matrix.columns[place] = entries.columns[k];
    matrix.values[place] = entries.values[k];
  }
  return canonical(std::move(matrix));
}

}  // namespace heatfront
