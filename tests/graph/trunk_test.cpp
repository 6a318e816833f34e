// SPDX-License-Identifier: MIT
#include "heatfront/graph/trunk.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heatfront/graph/build.h"

namespace heatfront {
namespace {

// A triangle 0 1 2 with the branch 3 – {4, 5 – 6} on node 2, and a pair 7 – 8 by itself.
Graph branched() {
  Threads threads(1);
  return build_graph(ArcList{.nodes = 9, .from = {0, 1, 2, 2, 3, 3, 5, 7}, .to = {1, 2, 0, 3, 4, 5, 6, 8}},
                     threads)
      .graph;
}

std::vector<NodeId> nodes_of(std::span<const Twig> twigs) {
  std::vector<NodeId> nodes;
  for (const Twig& twig : twigs) nodes.push_back(twig.node);
  std::ranges::sort(nodes);
  return nodes;
}

TEST(Trunk, IsWhatBranchesHangOn) {
  const Graph whole = branched();
  const Trunk trunk(whole, {}, find_twigs(whole, {}, {}));
  EXPECT_EQ(trunk.nodes, (std::vector<NodeId>{0, 1, 2, 8}));
  EXPECT_EQ(trunk.graph.arcs(), 6);
  EXPECT_EQ(trunk.loops, (std::vector<Real>{0, 0, 1, 1}));
  EXPECT_TRUE(trunk.weights.empty());
}

TEST(Trunk, KeepsTheWayToAChosenNode) {
  const Graph whole = branched();
  const std::vector<NodeId> chosen = {5};
  EXPECT_EQ(nodes_of(find_twigs(whole, {}, chosen)), (std::vector<NodeId>{4, 6, 7}));
}

TEST(Trunk, IsCutOffFromOutsideInwards) {
  const Graph whole = branched();
  std::vector<bool> cut(9);
  for (const Twig& twig : find_twigs(whole, {}, {})) {
    EXPECT_FALSE(cut[static_cast<std::size_t>(twig.joint)]) << "a joint is cut after what hangs on it";
    EXPECT_TRUE(std::ranges::binary_search(whole.neighbours(twig.node), twig.joint));
    cut[static_cast<std::size_t>(twig.node)] = true;
  }
}

TEST(Trunk, HasTheWeightsOfItsEdgesAndOfThoseThatAreCut) {
  Threads threads(1);
  const Graph path = build_graph(ArcList{.nodes = 4, .from = {0, 1, 2}, .to = {1, 2, 3}}, threads).graph;
  const std::vector<Real> weights = {2, 2, 3, 3, 5, 5};
  const std::vector<NodeId> chosen = {0, 2};
  const Trunk trunk(path, weights, find_twigs(path, weights, chosen));
  EXPECT_EQ(trunk.nodes, (std::vector<NodeId>{0, 1, 2}));
  EXPECT_EQ(trunk.weights, (std::vector<Real>{2, 2, 3, 3}));
  EXPECT_EQ(trunk.loops, (std::vector<Real>{0, 0, 5}));
  const std::vector<Real> cold = {2, 2, 3, 3, 0, 0};
  EXPECT_TRUE(find_twigs(path, cold, chosen).empty()) << "nothing flows along an edge of weight 0";
}

}  // namespace
}  // namespace heatfront
