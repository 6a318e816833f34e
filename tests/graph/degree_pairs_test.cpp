// SPDX-License-Identifier: MIT
#include "heatfront/graph/degree_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/reference.h"

namespace heatfront {
namespace {

using test::RandomProblem;

// 0 – 1 – 2, and 3 alone.
TEST(DegreePairs, AreThoseOfAPathByHand) {
  const DegreePairs pairs(Graph({0, 1, 3, 4, 4}, {1, 0, 2, 1}));
  EXPECT_EQ(pairs.first, (std::vector<NodeId>{1, 2, 2, 3, 3}));
  EXPECT_EQ(pairs.second, (std::vector<NodeId>{1, 2, 3, 2, 3}));
  EXPECT_EQ(pairs.mirror, (std::vector<std::int32_t>{0, 1, 3, 2, 4}));
  EXPECT_EQ(pairs.of_slot, (std::vector<std::int32_t>{1, 2, 4, 3, 3, 1, 2, 0}));
  EXPECT_EQ(pairs.begins, (std::vector<std::int64_t>{0, 1, 3, 5, 7, 8}));
  EXPECT_EQ(pairs.slots, (std::vector<std::int64_t>{7, 0, 5, 1, 6, 3, 4, 2}));
}

TEST(DegreePairs, HaveTheDegreesOfEverySlotOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = RandomProblem(seed, 60, 1, 4).graph;
    const DegreePairs pairs(graph);
    std::size_t slot = 0;
    const auto expect_pair = [&](NodeId u, NodeId v) {
      const auto pair = static_cast<std::size_t>(pairs.of_slot[slot++]);
      EXPECT_EQ(pairs.first[pair], graph.degree(u) + 1);
      EXPECT_EQ(pairs.second[pair], graph.degree(v) + 1);
      const auto mirror = static_cast<std::size_t>(pairs.mirror[pair]);
      EXPECT_EQ(pairs.first[mirror], graph.degree(v) + 1);
      EXPECT_EQ(pairs.second[mirror], graph.degree(u) + 1);
    };
    for (NodeId u = 0; u < graph.nodes(); ++u) {
      expect_pair(u, u);
      for (NodeId v : graph.neighbours(u)) expect_pair(u, v);
    }
    EXPECT_EQ(slot, pairs.of_slot.size());
    for (std::size_t i = 1; i < pairs.first.size(); ++i)
      EXPECT_LT(std::pair(pairs.first[i - 1], pairs.second[i - 1]),
                std::pair(pairs.first[i], pairs.second[i]));
  }
}

TEST(DegreePairs, AreNoneWithoutNodes) { EXPECT_EQ(DegreePairs(Graph()).pairs(), 0); }

}  // namespace
}  // namespace heatfront
