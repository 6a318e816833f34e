// SPDX-License-Identifier: MIT
#include "heatfront/graph/graph.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/graph/trusted_graph.h"

namespace heatfront {
namespace {

struct Arrays {
  std::vector<ArcId> offsets;
  std::vector<NodeId> targets;
};

void check_arrays(std::span<const ArcId> offsets, std::span<const NodeId> targets) {
  check_offsets(offsets, std::ssize(targets), "graph");
  const auto nodes = static_cast<NodeId>(offsets.size() - 1);
  require_ids("graph: targets", targets, 0, nodes);
  for (NodeId u = 0; u < nodes; ++u) {
    const auto row = targets.subspan(at(offsets[at(u)]), at(offsets[at(u) + 1] - offsets[at(u)]));
    if (std::ranges::adjacent_find(row, std::greater_equal<>()) != row.end())
      fail("graph: the neighbours of node {} do not ascend, or one stands twice; build_graph sorts them", u);
    if (std::ranges::binary_search(row, u))
      fail("graph: node {} is its own neighbour; build_graph leaves loops out", u);
  }
  if (!is_symmetric(offsets, targets, [](std::size_t, std::size_t) { return true; }))
    fail("graph: an edge is given in one direction only; build_graph adds the other");
}

}  // namespace

void check_offsets(std::span<const ArcId> offsets, std::int64_t arcs, std::string_view where) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != arcs)
    fail("{}: the offsets of {} arcs; they must begin with 0 and end with that number", where, arcs);
  if (std::ssize(offsets) - 1 > kMostNodes)
    fail("{}: {} nodes; at most {} can be", where, offsets.size() - 1, kMostNodes);
  if (const auto down = std::ranges::adjacent_find(offsets, std::greater<>()); down != offsets.end())
    fail("{}: offset {} is {}, after {}; offsets must not decrease", where, down - offsets.begin() + 1,
         *(down + 1), *down);
}

Graph Graph::without_edges(NodeId nodes) {
  if (nodes < 0) fail("graph: {} nodes; there must be 0 or more", nodes);
  return trusted_graph(std::vector<ArcId>(static_cast<std::size_t>(nodes) + 1, 0), {});
}

Graph::Graph(std::span<const ArcId> offsets, std::span<const NodeId> targets,
             std::shared_ptr<const void> owner)
    : owner_(std::move(owner)), offsets_(offsets), targets_(targets) {
  check_arrays(offsets, targets);
}

Graph trusted_graph(std::vector<ArcId> offsets, std::vector<NodeId> targets) {
  const auto arrays = std::make_shared<const Arrays>(Arrays{std::move(offsets), std::move(targets)});
  Graph graph;
  graph.offsets_ = arrays->offsets;
  graph.targets_ = arrays->targets;
  graph.owner_ = arrays;
  return graph;
}

Graph::Graph(std::vector<ArcId> offsets, std::vector<NodeId> targets) {
  const auto arrays = std::make_shared<const Arrays>(Arrays{std::move(offsets), std::move(targets)});
  *this = Graph(arrays->offsets, arrays->targets, arrays);
}

bool Graph::operator==(const Graph& other) const {
  return std::ranges::equal(offsets_, other.offsets_) && std::ranges::equal(targets_, other.targets_);
}

}  // namespace heatfront
