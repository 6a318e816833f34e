// SPDX-License-Identifier: MIT
// What is to be at rest: Σ_v w_uv (x_v − x_u) = 0 at every free node u. Loops do not matter there, nor how rows are scaled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/graph/graph.h"

namespace heatfront {

enum class NodeRole : std::uint8_t { absent, free, known };

// Lends graph and weights. A free node is joined to a known one by a path of weights above 0.
struct HarmonicSystem {
  const Graph& graph;
  std::span<const Real> weights;  // one per arc; empty: all 1
  std::vector<NodeRole> roles;    // by node

  double weight(ArcId arc) const { return weights.empty() ? 1 : static_cast<double>(weights[at(arc)]); }
  NodeRole role(std::int64_t u) const { return roles[at(u)]; }
  bool is_free(std::int64_t u) const { return role(u) == NodeRole::free; }
};

}  // namespace heatfront
