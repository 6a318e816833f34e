// SPDX-License-Identifier: MIT
// The graph p-Laplacian with p = 1, which keeps edges sharp: of every class
//
//     minimise  E(f) = Σ_{edges} w_uv |f(u) − f(v)|,     f = g on the known nodes
//
// by primal-dual steps (Chambolle and Pock 2011, step lengths by node and edge as in Pock and Chambolle 2011): a flux q, |q| ≤ w, goes up the differences of f̄, and
// f down the divergence of q. With m and M the least and largest known number, f is between them somewhere of least E, and
//
//     least E ≥ Σ_held g (∇ᵀq) + Σ_free min(m ∇ᵀq, M ∇ᵀq)
//
// so that the gap is known; the tolerance is that of (E − bound) / E. There can be many minimisers: the start, so the front, says
// which is come to.
#pragma once

#include "heatfront/flow/energies/energies.h"

namespace heatfront {

Temperatures solve_total_variation(const DirichletProblem& problem, const EnergyOptions& options,
                                   Threads& threads);

}  // namespace heatfront
