// SPDX-License-Identifier: MIT
// The arrays and matrices that pickles hold, checked as those of npy and npz files are.
#pragma once

#include <string>

#include "heatfront/base/matrix.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront_io/arrays/npy.h"
#include "heatfront_io/pickle/pickle.h"

namespace heatfront {

// A numpy array of numbers or text, or of Python's numbers (nan for None); `where` names it in messages. Error where the value is another.
NpyArray array_of(const Pickle& pickle, PickleValue value, const std::string& where);

// A matrix of scipy. Rows may be out of order.
SparseMatrix sparse_of(const Pickle& pickle, PickleValue matrix);

// A pickle that is one numpy array of two dimensions, neither of them 0.
Matrix dense_matrix(const Pickle& pickle);

// A pickle that is one matrix of scipy, or such an array. Canonical.
SparseMatrix sparse_matrix(const Pickle& pickle);

}  // namespace heatfront
