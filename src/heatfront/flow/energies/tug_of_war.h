// SPDX-License-Identifier: MIT
// The game-theoretic p-Laplacian, 2 ≤ p ≤ ∞, with the known labels held: at every other node, with α = 1/(p − 1),
//
//     f(u) = α Σ_v w_uv f(v) / Σ_v w_uv  +  (1 − α) (max_v f(v) + min_v f(v)) / 2
//
// p = 2 is the random walk at rest, p = ∞ the absolutely minimal Lipschitz extension with edges of length 1 (AMLE), where weights only say
// which edges there are. The right side T is monotone: from below, f ≤ T f, it only rises, from above it only falls, and the answer is
// between the two. Both are followed, in place, to and fro through the nodes by their distance to a label; the middle is the answer and half the way between them a
// bound of its error, which the tolerance is of (relative to the range of the labels).
#pragma once

#include "heatfront/flow/energies/energies.h"

namespace heatfront {

Temperatures solve_tug_of_war(const DirichletProblem& problem, const EnergyOptions& options,
                              Threads& threads);
Temperatures solve_amle(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads);

}  // namespace heatfront
