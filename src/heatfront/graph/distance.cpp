// SPDX-License-Identifier: MIT
#include "heatfront/graph/distance.h"

#include "heatfront/base/checks.h"

namespace heatfront {

// Breadth first from all sources at once.
std::vector<NodeId> distances_to(const Graph& graph, std::span<const NodeId> sources) {
  require_ids("distances_to: sources", sources, 0, graph.nodes());
  std::vector<NodeId> distance(at(graph.nodes()), kNoPath);
  std::vector<NodeId> queue(sources.begin(), sources.end());
  for (NodeId u : sources) distance[at(u)] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (NodeId v : graph.neighbours(queue[head])) {
      if (distance[at(v)] != kNoPath) continue;
      distance[at(v)] = distance[at(queue[head])] + 1;
      queue.push_back(v);
    }
  }
  return distance;
}

}  // namespace heatfront
