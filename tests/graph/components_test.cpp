// SPDX-License-Identifier: MIT
#include "heatfront/graph/components.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "heatfront/base/parallel.h"
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

Graph graph_of(ArcList arcs) {
  Threads threads(1);
  return build_graph(std::move(arcs), threads).graph;
}

TEST(Distance, IsThatToTheNearestSource) {
  // A path 0 … 5, and 6 alone.
  const Graph graph = graph_of({.nodes = 7, .from = {0, 1, 2, 3, 4}, .to = {1, 2, 3, 4, 5}});
  const std::vector<NodeId> ends = {0, 5, 0};
  EXPECT_EQ(distances_to(graph, ends), (std::vector<NodeId>{0, 1, 2, 2, 1, 0, kNoPath}));
}

TEST(Distance, TakesTheShortestOfManyWays) {
  // A circle 0 … 4 with a chord 0–3.
  const Graph graph = graph_of({.nodes = 5, .from = {0, 1, 2, 3, 4, 0}, .to = {1, 2, 3, 4, 0, 3}});
  const std::vector<NodeId> start = {0};
  EXPECT_EQ(distances_to(graph, start), (std::vector<NodeId>{0, 1, 2, 1, 1}));
}

TEST(Distance, IsNoneWithoutSources) {
  const Graph graph = graph_of({.nodes = 2, .from = {0}, .to = {1}});
  EXPECT_EQ(distances_to(graph, {}), (std::vector<NodeId>{kNoPath, kNoPath}));
}

}  // namespace
}  // namespace heatfront
