// SPDX-License-Identifier: MIT
// Connected components, and the few numbers that describe a graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct Components {
  std::vector<NodeId> of;     // of[u]: the component of u, numbered by their smallest node
  std::vector<NodeId> sizes;  // by component

  NodeId count() const { return static_cast<NodeId>(sizes.size()); }
  NodeId largest() const;  // the size of the largest, 0 if there is none
};

// By edges of weights above 0 (one per arc; empty: all 1).
Components connected_components(const Graph& graph, std::span<const Real> weights = {});

// Which nodes are among `sources` or joined to one of them by such edges.
std::vector<bool> reached_from(const Graph& graph, std::span<const Real> weights,
                               std::vector<NodeId> sources);

NodeId count_isolated(const Graph& graph);

// The share of edges, among those with both ends labelled, that join nodes of the same class; NaN if there
// are none.
double homophily(const Graph& graph, std::span<const ClassId> labels);

// How many edges each node is away from the nearest of some nodes.
inline constexpr NodeId kNoPath = -1;

// 0 at the sources themselves, kNoPath where no edges lead to one.
std::vector<NodeId> distances_to(const Graph& graph, std::span<const NodeId> sources);

}  // namespace heatfront
