// SPDX-License-Identifier: MIT
// Dense products, by BLAS, in blocks that depend on the shapes alone: the same bits for any number of threads.
#pragma once

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"

namespace heatfront {

void multiply(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads);  // C ← A B
void multiply_by_transposed(ConstMatrixView a, ConstMatrixView b, MatrixView c,
                            Threads& threads);  // C ← A Bᵀ
void multiply_transposed(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads);  // C ← Aᵀ B

void add_product(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads);  // C ← C + A B

// On the calling thread.
void multiply_here(ConstMatrixView a, ConstMatrixView b, MatrixView c);  // C ← A B
void multiply_by_transposed_here(BasicMatrixView<const float> a, BasicMatrixView<const float> b,
                                 BasicMatrixView<float> c);  // C ← A Bᵀ, in single precision whatever Real is

}  // namespace heatfront
