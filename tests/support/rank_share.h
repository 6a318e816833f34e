// SPDX-License-Identifier: MIT
// Graphs shared out among pretended ranks, in ways that go wrong where something is not thought of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heatfront/base/random.h"
#include "heatfront/graph/partition.h"
#include "heatfront/graph/rank_graph.h"
#include "support/pretended_ranks.h"

namespace heatfront::test {

struct RankCase {
  std::string name;
  int ranks, parts;
  std::function<std::vector<std::int32_t>(const GraphRows&, std::span<const NodeId> known)> part_of;
};

inline std::vector<std::int32_t> by_node(std::int64_t nodes, const std::function<int(NodeId)>& part) {
  std::vector<std::int32_t> parts;
  for (NodeId u = 0; u < nodes; ++u) parts.push_back(part(u));
  return parts;
}

inline const std::vector<RankCase>& rank_cases() {
  static const std::vector<RankCase> kCases = {
      {"one rank, one part", 1, 1, [](const GraphRows& g, auto) { return block_parts(g, 1); }},
      {"one rank, four random parts", 1, 4,
       [](const GraphRows& g, auto) {
         return by_node(g.nodes(), [](NodeId u) { return static_cast<int>(Random(3).below(4, at(u))); });
       }},
      {"two ranks, halves", 2, 2, [](const GraphRows& g, auto) { return block_parts(g, 2); }},
      {"three ranks, streamed", 3, 3,
       [](const GraphRows& g, auto) { return stream_parts(g, 3, [](int, int) {}); }},
      {"four ranks, random", 4, 4,
       [](const GraphRows& g, auto) {
         return by_node(g.nodes(), [](NodeId u) { return static_cast<int>(Random(5).below(4, at(u))); });
       }},
      {"two ranks with parts of eight", 2, 8, [](const GraphRows& g, auto) { return block_parts(g, 8); }},
      {"an empty rank in the middle", 3, 3,
       [](const GraphRows& g, auto) {
         return by_node(g.nodes(), [](NodeId u) { return u % 3 == 0 ? 0 : 2; });
       }},
      {"known nodes on one rank, all others on the other", 2, 2,
       [](const GraphRows& g, std::span<const NodeId> known) {
         return by_node(g.nodes(),
                        [&](NodeId u) { return std::ranges::find(known, u) == known.end() ? 1 : 0; });
       }},
  };
  return kCases;
}

// What one rank is given of the partitioned graph: parts of equal number, some perhaps empty.
class RankShare {
 public:
  RankShare(const GraphRows& graph, const Partition& partition, const Cluster& cluster) {
    const int ranks = cluster.ranks().count(), rank = cluster.ranks().rank();
    const auto first_part = [&](int r) { return partition.parts() * r / ranks; };
    std::vector<std::int64_t> starts;
    for (int r = 0; r <= ranks; ++r) starts.push_back(partition.starts[at(first_part(r))]);
    const auto parts = std::make_shared<std::vector<PartRows>>();
    for (int part = first_part(rank); part < first_part(rank + 1); ++part)
      parts->push_back(rows_of_part(graph, partition, part));
    std::vector<RowBlock> blocks;
    std::vector<NodeId> ids;
    std::int64_t first = 0;
    for (const PartRows& part : *parts) {
      blocks.push_back({.first = cluster.ranks().count() == 1 ? first : starts[at(rank)] + first,
                        .offsets = part.offsets,
                        .targets = part.targets,
                        .weights = part.weights});
      first += std::ssize(part.ids);
      ids.insert(ids.end(), part.ids.begin(), part.ids.end());
    }
    shared_ = rank_graph(std::move(blocks), std::move(ids), starts, cluster, parts);
  }

  const RankGraph& graph() const { return shared_; }

  Matrix part_of(ConstMatrixView whole) const {
    Matrix part(shared_.rows, whole.cols, whole.stride);
    for (std::int64_t i = 0; i < shared_.rows; ++i)
      std::ranges::copy(whole.row(shared_.ids[at(i)]), part.row(i).begin());
    return part;
  }
  void put_back(ConstMatrixView part, MatrixView whole) const {
    for (std::int64_t i = 0; i < shared_.rows; ++i)
      std::ranges::copy(part.row(i), whole.row(shared_.ids[at(i)]).begin());
  }
  std::vector<NodeId> rows_of(std::span<const NodeId> nodes) const {
    std::vector<NodeId> rows;
    for (NodeId i = 0; i < shared_.rows; ++i) {
      if (std::ranges::find(nodes, shared_.ids[at(i)]) != nodes.end()) rows.push_back(i);
    }
    return rows;
  }

 private:
  RankGraph shared_;
};

}  // namespace heatfront::test
