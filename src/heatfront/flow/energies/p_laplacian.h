// SPDX-License-Identifier: MIT
// The graph p-Laplacian, 1 < p < ∞, with the known labels held: of every class
//
//     minimise  E(f) = 1/p Σ_{edges} w_uv |f(u) − f(v)|^p,     f = g on the known nodes
//
// by Newton's direction and an exact search along it. With d the differences of f, h = w |d|^{p−2}, and x harmonic for the weights h, the
// direction is x − f. The flux q = h ∇x is free of divergence, so that by duality, at its best multiple,
//
//     E(f) ≥ least E ≥ 1/p A^p / S^{p−1},     A = Σ h (∇x)²,  S = Σ w^{1−p'} |q|^{p'},  1/p + 1/p' = 1
//
// and it stops where both sides are near: the tolerance is that of (E − bound) / E. p = 2 is the flow at rest.
#pragma once

#include "heatfront/flow/energies/energies.h"

namespace heatfront {

Temperatures solve_p_laplacian(const DirichletProblem& problem, const EnergyOptions& options,
                               Threads& threads);

}  // namespace heatfront
