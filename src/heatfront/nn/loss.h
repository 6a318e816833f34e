// SPDX-License-Identifier: MIT
// Mean softmax cross-entropy over a set of rows:  L = −1/|R| Σ_{u∈R} w_{y_u} log softmax(z_u)[y_u],  w = 1 unless classes are weighed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"

namespace heatfront {

// L; NaN where there are no rows.
double cross_entropy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows);

// What these rows add to an L over so many, of which other ranks have the others.
double cross_entropy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows,
                     std::int64_t of_rows);

// L, with d_logits ← ∂L/∂z: w_y (softmax(z_u) − e_y) / |R| on the rows, and other rows left alone. `class_weights`: w, or none.
// `of_rows`: |R| where other ranks have some of them, and L is what these add to it.
double cross_entropy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows,
                     MatrixView d_logits, std::span<const double> class_weights = {},
                     std::optional<std::int64_t> of_rows = {});

// w_c = |R| / (C n_c), with n_c labels of class c and C classes that have any: all of these count alike, and the mean weight of a
// label is 1. A class without labels has weight 1.
std::vector<double> balanced_weights(std::span<const ClassId> labels, ClassId classes);
std::vector<double> balanced_weights(std::span<const double> counts);  // n_c

}  // namespace heatfront
