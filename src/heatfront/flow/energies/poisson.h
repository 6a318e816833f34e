// SPDX-License-Identifier: MIT
// Poisson learning (Calder, Cook, Thorpe and Slepčev 2020): labels are sources and sinks in place of held temperatures. With L = D − W and y_v the
// one-hot vector of a known node,
//
//     L f = Σ_v δ_v (y_v − ȳ),     Σ_u d(u) f(u) = 0
//
// f = L⁺ Σ …, linear in the labels. ȳ is the mean of the labels of a component, so that each has an answer, and every component has the mean 0; one whose labels are all alike has
// ȳ everywhere. By conjugate gradients from the front, until the residual is below the tolerance, relative to the sources.
#pragma once

#include "heatfront/flow/energies/energies.h"

namespace heatfront {

Temperatures solve_poisson(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads);

}  // namespace heatfront
