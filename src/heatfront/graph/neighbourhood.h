// SPDX-License-Identifier: MIT
// What can be felt from some nodes within a few steps along edges: all that a network of so many layers needs to know
// about them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct Neighbourhood {
  // `centres` are distinct.
  Neighbourhood(const Graph& graph, std::span<const NodeId> centres, std::size_t steps);

  // By distance: the centres as they were given, then their neighbours by ascending number, then theirs.
  std::vector<NodeId> nodes;
  std::vector<std::int64_t> within;  // within[d]: the first so many are at most d steps away; d = 0 … steps
  Graph graph;                       // the edges among them; a node is its place in `nodes`
  std::vector<ArcId> arcs;           // what the arcs of `graph` are in the whole one
};

}  // namespace heatfront
