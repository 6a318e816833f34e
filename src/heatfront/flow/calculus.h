// SPDX-License-Identifier: MIT
// Calculus on a graph, the paper's section 2. f is a function of nodes, F of arcs, δ(u) = ℓ + Σ_v w(u,v):
//
//     ∇f(u,v) = √(w(u,v)/δ(v)) f(v) − √(w(u,v)/δ(u)) f(u)       div F(u) = Σ_v √(w(u,v)/δ(u)) (F(u,v) − F(v,u))
//     ‖∇f(u)‖ = √Σ_v ∇f(u,v)²      J(f) = ½ Σ_u ‖∇f(u)‖²         Δ = ½ div ∇        ⟨∇f, F⟩ = ⟨f, −div F⟩
//
// A loop has no gradient, so ℓ enters through δ alone. For the combinatorial Laplacian δ = 1 in all of these.
#pragma once

#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

class Calculus {
 public:
  Calculus(const Graph& graph, std::span<const Real> weights, const LaplacianOptions& options);

  std::vector<double> gradient(std::span<const double> f) const;       // arcs
  std::vector<double> divergence(std::span<const double> flow) const;  // nodes
  std::vector<double> gradient_norm(std::span<const double> f) const;  // nodes
  double dirichlet_energy(std::span<const double> f) const;
  double dirichlet_energy(ConstMatrixView f) const;  // summed over the columns

 private:
  double root_weight(ArcId arc) const;  // √w

  const Graph& graph_;
  std::span<const Real> weights_;
  std::vector<double> inverse_root_degree_;  // 1/√δ
};

}  // namespace heatfront
