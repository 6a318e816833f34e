// SPDX-License-Identifier: MIT
// Products in which one matrix is sparse. All dense matrices have strides that are multiples of 4, zero beyond
// their columns (padded_matrix, spread_matrix). Every row of a result is written by one thread.
#pragma once

#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/sparse_matrix.h"

namespace heatfront {

// out_i ← bias + Σ_k s_ik d_k. `bias` is padded as a row of out, or empty. Done in panels of columns of d that stay in
// a near cache; reads 8 bytes per entry of s (4 without values) for each panel.
void sparse_times_dense(const SparseView& s, ConstMatrixView d, std::span<const Real> bias, MatrixView out,
                        Threads& threads);

// At the entries of s: values_ij ← ⟨a_i, b_j⟩, with `values` laid out as s.columns are.
void dense_products_at(const SparseView& s, ConstMatrixView a, ConstMatrixView b, Real* values,
                       Threads& threads);

// out ← s d for sparse s and d.
void sparse_times_sparse(const SparseView& s, const SparseView& d, MatrixView out, Threads& threads);

}  // namespace heatfront
