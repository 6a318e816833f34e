// SPDX-License-Identifier: MIT
#include "heatfront/graph/graph.h"

#include <utility>

namespace heatfront {

Graph Graph::without_edges(NodeId nodes) {
  Graph graph;
  graph.offsets_.assign(static_cast<std::size_t>(nodes) + 1, 0);
  return graph;
}

Graph::Graph(std::vector<ArcId> offsets, std::vector<NodeId> targets)
    : offsets_(std::move(offsets)), targets_(std::move(targets)) {
  assert(!offsets_.empty() && offsets_.front() == 0 && offsets_.back() == arcs());
}

}  // namespace heatfront
