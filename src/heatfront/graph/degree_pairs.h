// SPDX-License-Identifier: MIT
// Arcs by the degrees of their ends. A slot is an arc (u, v) or the loop (u, u) of a node: those of u are
// offsets[u] + u … offsets[u+1] + u, the loop first. Its pair is (d_u, d_v), with d the degree and one more for the
// loop. There are far fewer pairs than slots, so what depends on the degrees alone is computed once a pair.
#pragma once

#include <cstdint>
#include <vector>

#include "heatfront/graph/graph.h"

namespace heatfront {

// each(v, slot) for the loop of u and its arcs.
template <class Each>
[[gnu::always_inline]] inline void for_slots(const Graph& graph, NodeId u, const Each& each) {
  std::int64_t slot = graph.begin_of(u) + u;
  each(u, slot);
  for (NodeId v : graph.neighbours(u)) each(v, ++slot);
}

struct DegreePairs {
  explicit DegreePairs(const Graph& graph);

  std::int64_t pairs() const { return std::ssize(first); }

  std::vector<NodeId> first, second;  // the degrees of a pair; pairs ascend
  std::vector<std::int32_t> mirror;   // the pair with its ends changed
  std::vector<std::int32_t> of_slot;  // the pair of a slot

  // The slots of pair i, ascending: slots[begins[i]] … slots[begins[i+1] − 1].
  std::vector<std::int64_t> begins, slots;
};

}  // namespace heatfront
