// SPDX-License-Identifier: MIT
#include "heatfront/graph/walks.h"

#include <gtest/gtest.h>

#include "heatfront/graph/build.h"
#include "heatfront/graph/generate.h"

namespace heatfront {
namespace {

TEST(Walks, OnAPathTakeTheSquareOfItsLength) {
  const std::vector<NodeId> chosen = {0};
  const Walks walks = walks_to(path_graph(11), {}, chosen, 0);
  EXPECT_EQ(walks.longest, 100);  // of 10 edges: 10², as from one end of a line to the other
  EXPECT_EQ(walks.reached, std::vector<bool>(11, true));
}

TEST(Walks, GoAroundAWeakEdgeWhereTheyAreLongOtherwise) {
  Threads threads(1);
  const WeightedGraph square = build_graph(
      ArcList{.nodes = 4, .from = {0, 0, 1, 2}, .to = {1, 3, 2, 3}, .weights = {1, Real(1e-6), 1, 1}},
      threads);
  const std::vector<NodeId> chosen = {0};
  EXPECT_GT(walks_to(square.graph, square.weights, chosen, 1e9).longest,
            1e6);  // fewest edges: by the weak one
  EXPECT_NEAR(walks_to(square.graph, square.weights, chosen, 10).longest, 9, 1e-4);
}

TEST(Walks, FromAClusterOnAWeakLinkTakeAsLongAsItIsWeak) {
  Threads threads(1);
  const WeightedGraph pair =
      build_graph(ArcList{.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {Real(1e-8), 1}}, threads);
  const std::vector<NodeId> chosen = {0};
  EXPECT_NEAR(walks_to(pair.graph, pair.weights, chosen, 0).longest, 2e8, 10);
}

TEST(Walks, SayWhatIsNotReached) {
  Threads threads(1);
  const Graph pairs = build_graph(ArcList{.nodes = 4, .from = {0, 2}, .to = {1, 3}}, threads).graph;
  const std::vector<NodeId> chosen = {1};
  const Walks walks = walks_to(pairs, {}, chosen, 0);
  EXPECT_EQ(walks.reached, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(walks.longest, 1);
  EXPECT_EQ(walks_to(pairs, {}, {}, 0).longest, 0);
}

}  // namespace
}  // namespace heatfront
