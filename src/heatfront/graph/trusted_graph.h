// SPDX-License-Identifier: MIT
// Graphs from arrays that this module has made itself. For source files only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/graph/graph.h"

namespace heatfront {

// Arrays that are as a Graph's must be, which is not checked again.
Graph trusted_graph(std::vector<ArcId> offsets, std::vector<NodeId> targets);

// Error, beginning with `where`, unless these can be the offsets of so many arcs.
void check_offsets(std::span<const ArcId> offsets, std::int64_t arcs, std::string_view where);

// Whether every arc a has its reverse, and agree(a, reverse). Rows ascend. Walking the arcs (u, v) in order of u must meet
// the arcs of every v in their own order: one pass, one cursor a node.
template <class Agree>
bool is_symmetric(std::span<const ArcId> offsets, std::span<const NodeId> targets, const Agree& agree) {
  std::vector<ArcId> cursor(offsets.begin(), offsets.end() - 1);
  for (std::size_t u = 0; u + 1 < offsets.size(); ++u) {
    for (std::size_t a = at(offsets[u]); a < at(offsets[u + 1]); ++a) {
      const std::size_t v = at(targets[a]);
      const std::size_t back = at(cursor[v]++);
      if (back >= at(offsets[v + 1]) || at(targets[back]) != u || !agree(a, back)) return false;
    }
  }
  return true;
}

}  // namespace heatfront
