// SPDX-License-Identifier: MIT
// An undirected graph in compressed rows, fixed once built. Every edge {u, v} is two arcs, (u, v) and (v, u);
// the arcs of u are offsets[u] … offsets[u+1]−1, by ascending target; no loops, no repeats. Values of edges
// (weights, their gradients) are arrays by arc, kept apart. Copies share the arrays.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heatfront/base/types.h"

namespace heatfront {

// Of an edge: with less, products with temperatures lose their digits among the least numbers there are.
inline constexpr Real kLeastWeight = Real(1e-30);

class Graph {
 public:
  Graph() = default;                         // no nodes
  static Graph without_edges(NodeId nodes);  // points that no edge joins yet

  // Takes arrays that already are as above, and is an Error where they are not (build_graph makes them so from
  // anything).
  Graph(std::vector<ArcId> offsets, std::vector<NodeId> targets);

  // The same with arrays that somebody else has; `owner` keeps them for as long as a copy of the graph is there.
  Graph(std::span<const ArcId> offsets, std::span<const NodeId> targets, std::shared_ptr<const void> owner);

  NodeId nodes() const { return static_cast<NodeId>(offsets_.size() - 1); }
  ArcId arcs() const { return static_cast<ArcId>(targets_.size()); }
  ArcId edges() const { return arcs() / 2; }

  ArcId begin_of(NodeId u) const { return offsets_[static_cast<std::size_t>(u)]; }
  NodeId degree(NodeId u) const { return static_cast<NodeId>(begin_of(u + 1) - begin_of(u)); }
  std::span<const NodeId> neighbours(NodeId u) const {
    assert(0 <= u && u < nodes());
    return {targets_.data() + begin_of(u), static_cast<std::size_t>(degree(u))};
  }

  std::span<const ArcId> offsets() const { return offsets_; }  // nodes + 1
  std::span<const NodeId> targets() const { return targets_; }

  bool operator==(const Graph& other) const;

 private:
  friend Graph trusted_graph(std::vector<ArcId> offsets, std::vector<NodeId> targets);

  static constexpr std::array<ArcId, 1> kNoNodes = {0};

  std::shared_ptr<const void> owner_;
  std::span<const ArcId> offsets_ = kNoNodes;
  std::span<const NodeId> targets_;
};

}  // namespace heatfront
