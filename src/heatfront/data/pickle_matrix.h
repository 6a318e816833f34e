// SPDX-License-Identifier: MIT
// The matrices that pickles hold, checked: shapes agree with bytes, row offsets ascend, columns are in range.
#pragma once

#include <cstdint>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront/data/pickle.h"

namespace heatfront {

// A pickle that is one numpy array of two dimensions, neither of them 0.
Matrix dense_matrix(const Pickle& pickle);

// A pickle that is one scipy CSR matrix, or such an array. Canonical.
SparseMatrix sparse_matrix(const Pickle& pickle);

// The numbers of an array of whole numbers in one dimension.
std::vector<std::int64_t> whole_numbers(const PickleArray& array);

}  // namespace heatfront
