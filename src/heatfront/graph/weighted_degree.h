// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

// ℓ + Σ_v w(u,v); without weights all are 1.
inline double weighted_degree(const Graph& graph, std::span<const Real> weights, double loop, NodeId u) {
  if (weights.empty()) return loop + graph.degree(u);
  double degree = loop;
  for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc)
    degree += static_cast<double>(weights[at(arc)]);
  return degree;
}

}  // namespace heatfront
