// SPDX-License-Identifier: MIT
// Entries (row, column, value) in any order → compressed rows.
#pragma once

#include <cstdint>
#include <vector>

#include "heatfront/base/sparse_matrix.h"
#include "heatfront/base/types.h"

namespace heatfront {

// Above this a feature's index is taken for a mistake.
inline constexpr std::int64_t kLargestFeature = 100'000'000;

struct FeatureEntries {
  std::vector<std::int32_t> rows, columns;
  std::vector<Real> values;
};

// Repeats are summed, zeros dropped.
SparseMatrix sparse_matrix_of(const FeatureEntries& entries, std::int64_t rows, std::int64_t cols);

}  // namespace heatfront
