// SPDX-License-Identifier: MIT
// Explicit Runge–Kutta methods as data. For du/dt = A u the stages of a step,
//
//     k_i = A (u + h Σ_j a_ij k_j),       u ← u + h Σ_i b_i k_i,
//
// are polynomials in hA applied to u: with p_1 = (1, …, 1) and p_{j+1} = a p_j,
//
//     h k_i = Σ_{j≥1} (p_j)_i (hA)^j u,       u ← Σ_j r_j (hA)^j u,      r_0 = 1,  r_j = b·p_j
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace heatfront {

constexpr std::size_t kMostStages = 7;
using StageWeights = std::array<double, kMostStages>;

// A method with an error estimate (ε = b − b̂ is not zero) ends on the slope at the new state, which is the
// first stage of the next step.
struct Tableau {
  std::string_view name;
  int order;
  std::size_t stages;
  std::array<StageWeights, kMostStages> a;
  StageWeights b;
  StageWeights error;  // ε
};

// dopri5, bosh3, rk4, heun, euler.
std::span<const Tableau> tableaus();
const Tableau& tableau(std::string_view name);

// r_0 … r_J, until they are zero.
std::vector<double> stability_coefficients(const Tableau& tableau);

// The error estimate of a step: Σ_{j=1}^{J} e_j (hA)^j u + ε_s hA u', u' the new state; here e_0 = 0, e_1 …
// e_J.
std::vector<double> error_coefficients(const Tableau& tableau);

}  // namespace heatfront
