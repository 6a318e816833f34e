// SPDX-License-Identifier: MIT
// The state at rest by taking out node after node, the one with the fewest neighbours first. With s_x = Σ_v w_xv,
//
//     w_uv ← w_uv + w_ux w_xv / s_x        for the neighbours u, v of x, known nodes among them
//     x_x = Σ_v w_xv x_v / s_x             later, in the order turned round
//
// in double precision. Nothing is ever subtracted, s_x is added up anew from what is left: every number keeps its relative
// precision, however far apart the weights are.
#pragma once

#include "heatfront/base/matrix.h"
#include "heatfront/flow/harmonic_system.h"

namespace heatfront {

// Writes the free rows of `state`; the known rows are all of one sign in each column. False, and nothing written, where the graph
// fills up on the way: that would take more than some 100 MB, or seconds.
bool extend_by_elimination(const HarmonicSystem& system, MatrixView state);

}  // namespace heatfront
