// SPDX-License-Identifier: MIT
// Learned weights of edges, from one parameter for each of their two arcs:
//
//     w_uv = w⁰_uv sigmoid((θ_uv + θ_vu)/2)           (w⁰: the data's own weights, or 1)
//     ∂L/∂θ_uv = ½ ∂L/∂w_uv w_uv (1 − sigmoid)
#pragma once

#include <span>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

// reverse[a] is the arc (v, u) where a is (u, v).
std::vector<ArcId> reverse_arcs(const Graph& graph);

// All by arc; `reverse` as reverse_arcs() gives it; `own` may be empty: all 1.
void edge_weights(std::span<const Real> theta, std::span<const ArcId> reverse, std::span<const Real> own,
                  std::span<Real> weights, Threads& threads);

// d_weights: ∂L/∂w of the edge, at both of its arcs.
void edge_weights_backward(std::span<const Real> weights, std::span<const Real> own,
                           std::span<const Real> d_weights, std::span<Real> d_theta, Threads& threads);

}  // namespace heatfront
