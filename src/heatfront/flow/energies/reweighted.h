// SPDX-License-Identifier: MIT
// The harmonic extension with heavier edges near known nodes, so that few labels still hold what is around them: edges become w (γ_u + γ_v) / 2 with
//
//     wnll                γ = n/m at the m known nodes of n, else 1            (Shi, Osher and Zhu 2017)
//     properly-weighted   γ = 1 + (1 / max(r, least))²,                        (Calder and Slepčev 2019)
//
// r the number of edges to the nearest known node, and `least` such that γ = 10⁷ there. Both are linear in the labels, and at rest as the
// random walk's flow on these edges is, with its certificate; the tolerance is that of `cg`.
#pragma once

#include "heatfront/flow/energies/energies.h"

namespace heatfront {

Temperatures solve_wnll(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads);
Temperatures solve_properly_weighted(const DirichletProblem& problem, const EnergyOptions& options,
                                     Threads& threads);

}  // namespace heatfront
