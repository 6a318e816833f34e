// SPDX-License-Identifier: MIT
// Cholesky's factor of a symmetric positive definite matrix, and its inverse,
//
//     A = L Lᵀ,     X = L⁻¹,     A⁻¹ = Xᵀ X
//
// in blocks whose products BLAS makes: n³/2 multiplications. On the calling thread, so that several matrices can be done side
// by side.
#pragma once

#include "heatfront/base/matrix.h"

namespace heatfront {

// a: the lower half of A → L below and on the diagonal. x → X, zero above the diagonal. False, and nothing that means anything in
// either, where A is not positive definite within rounding.
bool invert_factor(BasicMatrixView<float> a, BasicMatrixView<float> x);
bool invert_factor(BasicMatrixView<double> a, BasicMatrixView<double> x);

// The factor alone, in half of the multiplications: the lower half of A → L.
bool cholesky(BasicMatrixView<double> a);

// b ← (L Lᵀ)⁻¹ b, (n, m) row by row; reads the lower half of L twice.
void solve_by_factor(ConstMatrixView l, BasicMatrixView<double> b);

}  // namespace heatfront
