// SPDX-License-Identifier: MIT
// How far scores may be trusted: β, such that softmax(β scores + offset) can be taken for a probability. The offset, by class, is what is
// said where the scores say nothing.
#pragma once

#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/flow/dirichlet.h"

namespace heatfront {

inline constexpr double kLeastConfidence = 0.1, kLargestConfidence = 1000;  // β

// β at which softmax(β scores + offset) is likeliest, of labels one in |L| + 2 of which may be wrong.
// `offset`: by class; empty: 0. `weights`: by class, how much each of its labels counts; empty: all alike.
double fitted_confidence(ConstMatrixView scores, std::span<const ClassId> labels,
                         std::span<const double> offset = {}, std::span<const double> weights = {});

//     o_c = ½ ln ((n_c + ½) / (|L| + C/2)),     n_c of the labels L are of class c
//
// Half of what their shares say, for fronts fitted to uneven labels lean towards frequent classes already. Empty where all n_c are alike.
std::vector<double> offset_of_shares(const KnownLabels& known, ClassId classes);

}  // namespace heatfront
