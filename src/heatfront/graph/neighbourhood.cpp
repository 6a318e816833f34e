// SPDX-License-Identifier: MIT
#include "heatfront/graph/neighbourhood.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/graph/trusted_graph.h"

namespace heatfront {

Neighbourhood::Neighbourhood(const Graph& whole, std::span<const NodeId> centres, std::size_t steps)
    : nodes(centres.begin(), centres.end()), within{std::ssize(centres)} {
  constexpr NodeId kOutside = -1;
  require_ids("neighbourhood: centres", centres, 0, whole.nodes());
  std::vector<NodeId> place(at(whole.nodes()), kOutside);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (place[at(nodes[i])] != kOutside) fail("neighbourhood: centre {} is given twice", nodes[i]);
    place[at(nodes[i])] = static_cast<NodeId>(i);
  }
  for (std::size_t ring = 0; within.size() <= steps; ring = at(within[within.size() - 2])) {
    const std::size_t end = nodes.size();
    for (std::size_t i = ring; i < end; ++i) {
      for (NodeId v : whole.neighbours(nodes[i])) {
        if (place[at(v)] != kOutside) continue;
        place[at(v)] = 0;
        nodes.push_back(v);
      }
    }
    std::sort(nodes.begin() + std::ptrdiff_t(end), nodes.end());
    for (std::size_t i = end; i < nodes.size(); ++i) place[at(nodes[i])] = static_cast<NodeId>(i);
    within.push_back(std::ssize(nodes));
  }

  std::vector<ArcId> offsets = {0};
  std::vector<NodeId> targets;
  std::vector<std::pair<NodeId, ArcId>> row;
  for (NodeId u : nodes) {
    row.clear();
    for (ArcId arc = whole.begin_of(u); arc < whole.begin_of(u + 1); ++arc) {
      const NodeId v = place[at(whole.targets()[at(arc)])];
      if (v != kOutside) row.emplace_back(v, arc);
    }
    std::ranges::sort(row);
    for (const auto& [v, arc] : row) {
      targets.push_back(v);
      arcs.push_back(arc);
    }
    offsets.push_back(std::ssize(targets));
  }
  graph = trusted_graph(std::move(offsets), std::move(targets));
}

}  // namespace heatfront
