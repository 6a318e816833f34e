// SPDX-License-Identifier: MIT
#include "heatfront/graph/reorder.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/find_named.h"
#include "heatfront/graph/trusted_graph.h"

namespace heatfront {
namespace {

constexpr std::array kReorderings = {
    ReorderingEntry{Reordering::none, "none", "as they are"},
    ReorderingEntry{Reordering::rcm, "rcm", "reverse Cuthill-McKee: neighbours near each other"},
    ReorderingEntry{Reordering::degree, "degree", "by descending degree: hubs together"},
};

// Ends that are tried before the farthest so far is taken.
constexpr int kMostEnds = 8;

// Levels of nodes by their distance from a start.
class BreadthFirst {
 public:
  explicit BreadthFirst(const Graph& graph) : graph_(graph), seen_(at(graph.nodes())) {}

  // The distance of the farthest nodes.
  NodeId run(NodeId start) {
    NodeId distance = 0;
    nodes_.assign(1, start);
    seen_[at(start)] = 1;
    last_level_ = 0;
    for (std::size_t head = 0, level_end = 1; head < nodes_.size(); ++head) {
      if (head == level_end) {
        last_level_ = head;
        level_end = nodes_.size();
        ++distance;
      }
      for (NodeId v : graph_.neighbours(nodes_[head])) {
        if (std::exchange(seen_[at(v)], std::uint8_t{1}) == 0) nodes_.push_back(v);
      }
    }
    for (NodeId u : nodes_) seen_[at(u)] = 0;
    return distance;
  }

  std::span<const NodeId> farthest() const { return std::span(nodes_).subspan(last_level_); }

 private:
  const Graph& graph_;
  std::vector<std::uint8_t> seen_;
  std::vector<NodeId> nodes_;
  std::size_t last_level_ = 0;
};

// From one end to the farthest node of least degree, as long as that leads farther (George and Liu).
NodeId pseudo_peripheral_node(const Graph& graph, NodeId start, BreadthFirst& search) {
  NodeId distance = search.run(start);
  for (int tried = 0; tried < kMostEnds; ++tried) {
    start = *std::ranges::min_element(search.farthest(), {}, [&](NodeId u) { return graph.degree(u); });
    const NodeId farther = search.run(start);
    if (farther <= distance) break;
    distance = farther;
  }
  return start;
}

void check_order(std::span<const NodeId> order, NodeId nodes) {
  require_count("permuted: order", std::ssize(order), nodes, "one per node");
  require_ids("permuted: order", order, 0, nodes);
  std::vector<bool> met(order.size());
  for (NodeId u : order) {
    if (met[at(u)]) fail("permuted: order has node {} twice; every node must stand in it once", u);
    met[at(u)] = true;
  }
}

std::vector<NodeId> identity(NodeId nodes) {
  std::vector<NodeId> order(at(nodes));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

std::span<const ReorderingEntry> reorderings() { return kReorderings; }

Reordering find_reordering(std::string_view name) {
  return find_named(reorderings(), name, "order of nodes").reordering;
}

std::string_view name_of(Reordering reordering) {
  return std::ranges::find(kReorderings, reordering, &ReorderingEntry::reordering)->name;
}

std::vector<NodeId> reverse_cuthill_mckee(const Graph& graph) {
  BreadthFirst search(graph);
  std::vector<std::uint8_t> placed(at(graph.nodes()));
  std::vector<NodeId> order;
  order.reserve(placed.size());
  const auto place = [&](NodeId u) {
    if (std::exchange(placed[at(u)], std::uint8_t{1}) == 0) order.push_back(u);
  };
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    if (placed[at(u)] != 0) continue;
    std::size_t head = order.size();
    place(pseudo_peripheral_node(graph, u, search));
    for (; head < order.size(); ++head) {
      const std::size_t first = order.size();
      for (NodeId v : graph.neighbours(order[head])) place(v);
      std::ranges::sort(std::span(order).subspan(first), {},
                        [&](NodeId v) { return std::pair(graph.degree(v), v); });
    }
  }
  std::ranges::reverse(order);
  return order;
}

std::vector<NodeId> degree_order(const Graph& graph) {
  std::vector<NodeId> order = identity(graph.nodes());
  std::ranges::stable_sort(order, std::ranges::greater(), [&](NodeId u) { return graph.degree(u); });
  return order;
}

std::vector<NodeId> node_order(const Graph& graph, Reordering reordering) {
  switch (reordering) {
    case Reordering::rcm: return reverse_cuthill_mckee(graph);
    case Reordering::degree: return degree_order(graph);
    case Reordering::none: break;
  }
  return identity(graph.nodes());
}

// The new nodes, one after the other, enter the rows of their neighbours: so these come out ascending.
WeightedGraph permuted(const Graph& graph, std::span<const Real> weights, std::span<const NodeId> order) {
  check_order(order, graph.nodes());
  require_weights("permuted: weights", weights, graph.arcs());
  std::vector<ArcId> ends(order.size());  // by old node: where its next arc goes
  std::vector<ArcId> offsets = {0};
  offsets.reserve(order.size() + 1);
  for (NodeId old : order) {
    ends[at(old)] = offsets.back();
    offsets.push_back(offsets.back() + graph.degree(old));
  }
  std::vector<NodeId> targets(at(graph.arcs()));
  std::vector<Real> new_weights(weights.size());
  for (std::size_t v = 0; v < order.size(); ++v) {
    for (ArcId arc = graph.begin_of(order[v]); arc < graph.begin_of(order[v] + 1); ++arc) {
      const std::size_t to = at(ends[at(graph.targets()[at(arc)])]++);
      targets[to] = static_cast<NodeId>(v);
      if (!weights.empty()) new_weights[to] = weights[at(arc)];
    }
  }
  return {.graph = trusted_graph(std::move(offsets), std::move(targets)), .weights = std::move(new_weights)};
}

}  // namespace heatfront
