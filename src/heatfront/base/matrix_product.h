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

// C ← Aᵀ A, of which one half is made and the other copied.
void multiply_by_itself(ConstMatrixView a, MatrixView c, Threads& threads);

// On the calling thread, in single or double precision whatever Real is.
void multiply_here(BasicMatrixView<const float> a, BasicMatrixView<const float> b,
                   BasicMatrixView<float> c);  // C ← A B
void multiply_here(BasicMatrixView<const double> a, BasicMatrixView<const double> b,
                   BasicMatrixView<double> c);
void multiply_transposed_here(ConstMatrixView a, ConstMatrixView b, MatrixView c);  // C ← Aᵀ B
void subtract_by_transposed_here(BasicMatrixView<const float> a, BasicMatrixView<const float> b,
                                 BasicMatrixView<float> c);  // C ← C − A Bᵀ
void subtract_by_transposed_here(BasicMatrixView<const double> a, BasicMatrixView<const double> b,
                                 BasicMatrixView<double> c);
void multiply_by_transposed_here(BasicMatrixView<const float> a, BasicMatrixView<const float> b,
                                 BasicMatrixView<float> c);  // C ← A Bᵀ
void multiply_by_transposed_here(BasicMatrixView<const double> a, BasicMatrixView<const double> b,
                                 BasicMatrixView<double> c);

}  // namespace heatfront
