// SPDX-License-Identifier: MIT
#include "heatfront/graph/trunk.h"

#include <utility>

#include "heatfront/graph/trusted_graph.h"

namespace heatfront {

std::vector<Twig> find_twigs(const Graph& graph, std::span<const Real> weights,
                             std::span<const NodeId> chosen) {
  std::vector<bool> stays(at(graph.nodes())), cut(at(graph.nodes()));
  for (NodeId u : chosen) stays[at(u)] = true;
  std::vector<NodeId> degree;  // not counting what is cut off
  degree.reserve(at(graph.nodes()));
  for (NodeId u = 0; u < graph.nodes(); ++u) degree.push_back(graph.degree(u));
  std::vector<Twig> twigs;
  for (NodeId leaf = 0; leaf < graph.nodes(); ++leaf) {
    for (NodeId u = leaf; !cut[at(u)] && !stays[at(u)] && degree[at(u)] == 1;) {
      ArcId arc = graph.begin_of(u);
      while (cut[at(graph.targets()[at(arc)])]) ++arc;
      if (!weights.empty() && !(weights[at(arc)] > 0)) break;
      const NodeId joint = graph.targets()[at(arc)];
      twigs.push_back({u, joint});
      cut[at(u)] = true;
      --degree[at(joint)];
      u = joint;
    }
  }
  return twigs;
}

Trunk::Trunk(const Graph& whole, std::span<const Real> whole_weights, std::vector<Twig> cut_off)
    : twigs(std::move(cut_off)) {
  constexpr NodeId kCut = -1;
  std::vector<NodeId> place(at(whole.nodes()));
  for (const Twig& twig : twigs) place[at(twig.node)] = kCut;
  nodes.reserve(place.size() - twigs.size());
  for (NodeId u = 0; u < whole.nodes(); ++u) {
    if (place[at(u)] == kCut) continue;
    place[at(u)] = static_cast<NodeId>(nodes.size());
    nodes.push_back(u);
  }
  std::vector<ArcId> offsets = {0};
  std::vector<NodeId> targets;
  const std::size_t arcs = at(whole.arcs()) - 2 * twigs.size();
  offsets.reserve(nodes.size() + 1);
  loops.reserve(nodes.size());
  targets.reserve(arcs);
  if (!whole_weights.empty()) weights.reserve(arcs);
  for (NodeId u : nodes) {
    Real loop = 0;
    for (ArcId arc = whole.begin_of(u); arc < whole.begin_of(u + 1); ++arc) {
      const Real weight = whole_weights.empty() ? Real(1) : whole_weights[at(arc)];
      const NodeId v = place[at(whole.targets()[at(arc)])];
      if (v == kCut) {
        loop += weight;
        continue;
      }
      targets.push_back(v);
      if (!whole_weights.empty()) weights.push_back(weight);
    }
    loops.push_back(loop);
    offsets.push_back(std::ssize(targets));
  }
  graph = trusted_graph(std::move(offsets), std::move(targets));
}

}  // namespace heatfront
