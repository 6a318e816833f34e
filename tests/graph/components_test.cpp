// SPDX-License-Identifier: MIT
#include "heatfront/graph/components.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/graph/build.h"

namespace heatfront {
namespace {

Graph two_pairs_and_a_loner() {
  Threads threads(1);
  return build_graph(ArcList{.nodes = 5, .from = {0, 1, 1}, .to = {3, 4, 4}}, threads).graph;
}

TEST(Components, AreNumberedByTheirSmallestNode) {
  const Components components = connected_components(two_pairs_and_a_loner());
  EXPECT_EQ(components.of, (std::vector<NodeId>{0, 1, 2, 0, 1}));
  EXPECT_EQ(components.sizes, (std::vector<NodeId>{2, 2, 1}));
  EXPECT_EQ(components.largest(), 2);
}

TEST(Components, OfNoNodesAreNone) {
  EXPECT_EQ(connected_components(Graph()).count(), 0);
  EXPECT_EQ(connected_components(Graph()).largest(), 0);
}

TEST(Isolated, NodesHaveNoEdge) { EXPECT_EQ(count_isolated(two_pairs_and_a_loner()), 1); }

TEST(Homophily, IsTheShareOfEdgesWithinAClass) {
  const Graph graph = two_pairs_and_a_loner();
  EXPECT_EQ(homophily(graph, std::vector<ClassId>{0, 1, 0, 0, 2}), 0.5);
  EXPECT_EQ(homophily(graph, std::vector<ClassId>{0, 1, 0, 0, kUnknown}), 1.0);
  EXPECT_TRUE(std::isnan(homophily(graph, std::vector<ClassId>(5, kUnknown))));
}

}  // namespace
}  // namespace heatfront
