// SPDX-License-Identifier: MIT
#include "heatfront/graph/degree_pairs.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heatfront {

// Nodes of one degree after those of another: pair_of says which pairs they have, by the degree of the other end.
DegreePairs::DegreePairs(const Graph& graph)
    : of_slot(at(graph.arcs() + graph.nodes())), slots(of_slot.size()) {
  std::vector<NodeId> by_degree(at(graph.nodes()));
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::ranges::stable_sort(by_degree, {}, [&](NodeId u) { return graph.degree(u); });
  std::vector<std::int32_t> pair_of(by_degree.empty() ? 0 : at(graph.degree(by_degree.back())) + 2, -1);
  for (auto begin = by_degree.begin(); begin != by_degree.end();) {
    const NodeId degree = graph.degree(*begin);
    const auto end =
        std::find_if(begin, by_degree.end(), [&](NodeId u) { return graph.degree(u) != degree; });
    std::vector<NodeId> others;
    for (auto u = begin; u != end; ++u) {
      for_slots(graph, *u, [&](NodeId v, std::int64_t) {
        const NodeId other = graph.degree(v) + 1;
        if (pair_of[at(other)] == -1) others.push_back(other);
        pair_of[at(other)] = 0;
      });
    }
    std::ranges::sort(others);
    for (NodeId other : others) {
      pair_of[at(other)] = static_cast<std::int32_t>(pairs());
      first.push_back(degree + 1);
      second.push_back(other);
    }
    for (; begin != end; ++begin) {
      for_slots(graph, *begin,
                [&](NodeId v, std::int64_t slot) { of_slot[at(slot)] = pair_of[at(graph.degree(v)) + 1]; });
    }
    for (NodeId other : others) pair_of[at(other)] = -1;
  }

  std::vector<std::pair<NodeId, NodeId>> ends(first.size());
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = {first[i], second[i]};
  for (const auto& [a, b] : ends) {
    const auto found = std::ranges::lower_bound(ends, std::pair(b, a));
    mirror.push_back(static_cast<std::int32_t>(found - ends.begin()));
  }

  list_slots();
}

DegreePairs::DegreePairs(const DegreePairs& whole, const Graph& graph, const Neighbourhood& field)
    : first(whole.first),
      second(whole.second),
      mirror(whole.mirror),
      of_slot(at(field.graph.arcs() + field.graph.nodes())),
      slots(of_slot.size()) {
  for (NodeId u = 0; u < field.graph.nodes(); ++u) {
    const NodeId from = field.nodes[at(u)];
    for_slots(field.graph, u, [&](NodeId v, std::int64_t slot) {
      const ArcId before = v == u ? graph.begin_of(from) : field.arcs[at(slot - u - 1)] + 1;
      of_slot[at(slot)] = whole.of_slot[at(before + from)];
    });
  }
  list_slots();
}

void DegreePairs::list_slots() {
  begins.assign(first.size() + 1, 0);
  for (std::int32_t pair : of_slot) ++begins[at(pair) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::int64_t> cursor = begins;
  for (std::size_t slot = 0; slot < of_slot.size(); ++slot)
    slots[at(cursor[at(of_slot[slot])]++)] = static_cast<std::int64_t>(slot);
}

}  // namespace heatfront
