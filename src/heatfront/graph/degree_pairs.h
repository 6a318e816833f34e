// SPDX-License-Identifier: MIT
// Arcs by the degrees of their ends. A slot is an arc (u, v) or the loop (u, u) of a node: those of u are
// offsets[u] + u … offsets[u+1] + u, the loop first. Its pair is (d_u, d_v), with d the degree and one more for the
// loop. There are far fewer pairs than slots, so what depends on the degrees alone is computed once a pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heatfront/graph/graph.h"
#include "heatfront/graph/neighbourhood.h"

namespace heatfront {

// each(v, slot) for the loop of u and its arcs.
template <class Each>
[[gnu::always_inline]] inline void for_slots(const Graph& graph, NodeId u, const Each& each) {
  std::int64_t slot = graph.begin_of(u) + u;
  each(u, slot);
  for (NodeId v : graph.neighbours(u)) each(v, ++slot);
}

// Of the first so many nodes, on average and rounded up.
inline std::int64_t slots_a_row(const Graph& graph, std::int64_t rows) {
  return 1 + (graph.begin_of(static_cast<NodeId>(rows)) + rows) / std::max<std::int64_t>(1, rows);
}

struct DegreePairs {
  explicit DegreePairs(const Graph& graph);

  // The same pairs, by the degrees in the whole graph, with the slots of a neighbourhood.
  DegreePairs(const DegreePairs& whole, const Graph& graph, const Neighbourhood& field);

  std::int64_t pairs() const { return std::ssize(first); }

  std::vector<NodeId> first, second;  // the degrees of a pair; pairs ascend
  std::vector<std::int32_t> mirror;   // the pair with its ends changed
  std::vector<std::int32_t> of_slot;  // the pair of a slot

  // The slots of pair i, ascending: slots[begins[i]] … slots[begins[i+1] − 1].
  std::vector<std::int64_t> begins, slots;

 private:
  void list_slots();
};

}  // namespace heatfront
