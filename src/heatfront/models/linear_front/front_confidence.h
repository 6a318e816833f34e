// SPDX-License-Identifier: MIT
// How far scores may be trusted: β, such that softmax(β scores) can be taken for a probability.
#pragma once

#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"

namespace heatfront {

inline constexpr double kLeastConfidence = 0.1, kLargestConfidence = 1000;  // β

// β at which softmax(β scores) is likeliest, of labels one in |L| + 2 of which may be wrong.
// `weights`: by class, how much each of its labels counts; empty: all alike.
double fitted_confidence(ConstMatrixView scores, std::span<const ClassId> labels,
                         std::span<const double> weights = {});

}  // namespace heatfront
