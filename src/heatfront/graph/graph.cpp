// SPDX-License-Identifier: MIT
#include "heatfront/graph/graph.h"

#include <algorithm>
#include <utility>

namespace heatfront {
namespace {

struct Arrays {
  std::vector<ArcId> offsets;
  std::vector<NodeId> targets;
};

}  // namespace

Graph Graph::without_edges(NodeId nodes) {
  return {std::vector<ArcId>(static_cast<std::size_t>(nodes) + 1, 0), {}};
}

Graph::Graph(std::span<const ArcId> offsets, std::span<const NodeId> targets,
             std::shared_ptr<const void> owner)
    : owner_(std::move(owner)), offsets_(offsets), targets_(targets) {
  assert(!offsets_.empty() && offsets_.front() == 0 && offsets_.back() == arcs());
}

Graph::Graph(std::vector<ArcId> offsets, std::vector<NodeId> targets) {
  const auto arrays = std::make_shared<const Arrays>(Arrays{std::move(offsets), std::move(targets)});
  *this = Graph(arrays->offsets, arrays->targets, arrays);
}

bool Graph::operator==(const Graph& other) const {
  return std::ranges::equal(offsets_, other.offsets_) && std::ranges::equal(targets_, other.targets_);
}

}  // namespace heatfront
