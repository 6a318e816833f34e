// SPDX-License-Identifier: MIT
// How good an answer is, on a set of nodes whose labels are known.
#pragma once

#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"

namespace heatfront {

// The share of `nodes` whose class is their label; NaN where there are none.
double accuracy(std::span<const ClassId> classes, std::span<const ClassId> labels,
                std::span<const NodeId> nodes);

// The same for the warmest class of each row, the first of equals.
double accuracy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> nodes);

}  // namespace heatfront
