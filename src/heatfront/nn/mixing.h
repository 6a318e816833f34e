// SPDX-License-Identifier: MIT
// How the columns of a state mix: M = W diag(p) Wᵀ − I, p = clamp(m, 0, 1), with W (q × q) and m (q) learned. W is to
// be orthogonal, and p − 1 in [−1, 0] are then the eigenvalues of M; a step that took W away from that is followed by a
// pull back.
#pragma once

#include <cstdint>
#include <span>

#include "heatfront/base/matrix.h"

namespace heatfront {

void mixing(ConstMatrixView w, std::span<const Real> m, std::span<double> matrix);  // by rows

// d_w ← (P + Pᵀ) W diag(p),  d_m_j ← w_jᵀ P w_j where 0 ≤ m_j ≤ 1 and 0 elsewhere, P = ∂L/∂M by rows.
void mixing_backward(ConstMatrixView w, std::span<const Real> m, std::span<const double> d_matrix,
                     MatrixView d_w, std::span<Real> d_m);

// W ← W + ½ (W − W Wᵀ W): half way to the nearest orthogonal matrix, and closer the nearer it is.
void pull_to_orthogonal(MatrixView w);

}  // namespace heatfront
