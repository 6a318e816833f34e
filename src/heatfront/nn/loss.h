// SPDX-License-Identifier: MIT
// Mean softmax cross-entropy over a set of rows:  L = −1/|R| Σ_{u∈R} log softmax(z_u)[y_u].
#pragma once

#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"

namespace heatfront {

// L; NaN where there are no rows.
double cross_entropy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows);

// L, with d_logits ← ∂L/∂z: (softmax(z_u) − e_y) / |R| on the rows, and other rows left alone.
double cross_entropy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows,
                     MatrixView d_logits);

}  // namespace heatfront
