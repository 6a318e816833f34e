// SPDX-License-Identifier: MIT
#include "heatfront/graph/reorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "heatfront/base/random.h"
#include "heatfront/graph/generate.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

std::vector<NodeId> shuffled(NodeId nodes, std::uint64_t seed) {
  std::vector<NodeId> order(static_cast<std::size_t>(nodes));
  std::iota(order.begin(), order.end(), 0);
  const Random random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

bool is_permutation_of(std::vector<NodeId> order, NodeId nodes) {
  std::ranges::sort(order);
  std::vector<NodeId> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

NodeId bandwidth(const Graph& graph) {
  NodeId widest = 0;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    for (NodeId v : graph.neighbours(u)) widest = std::max(widest, v - u);
  }
  return widest;
}

// Two paths and two loners, shuffled.
Graph in_pieces() {
  Threads threads(1);
  const Graph graph =
      build_graph(ArcList{.nodes = 9, .from = {0, 1, 2, 5, 6}, .to = {1, 2, 3, 6, 7}}, threads).graph;
  return permuted(graph, {}, shuffled(9, 5)).graph;
}

TEST(Reordering, OfEveryKindIsAPermutation) {
  Threads threads(1);
  const Graph hubs = rmat_graph({.scale = 8, .arcs = 1500, .seed = 3}, threads);
  for (const ReorderingEntry& entry : reorderings()) {
    for (const Graph& graph : {hubs, in_pieces(), grid_graph(7, 5), Graph::without_edges(4), Graph()}) {
      EXPECT_TRUE(is_permutation_of(node_order(graph, entry.reordering), graph.nodes())) << entry.name;
    }
  }
}

TEST(Reordering, IsFoundByNameAndAnUnknownOneListsTheOthers) {
  for (const ReorderingEntry& entry : reorderings()) {
    EXPECT_EQ(find_reordering(entry.name), entry.reordering);
    EXPECT_EQ(name_of(entry.reordering), entry.name);
  }
  EXPECT_EQ(test::error_text([] { find_reordering("rmc"); }),
            "unknown order of nodes 'rmc' (did you mean 'rcm'?); choose from: none, rcm, degree");
}

TEST(ReverseCuthillMckee, MakesAShuffledPathAPathAgain) {
  const Graph path = path_graph(200);
  const Graph mixed = permuted(path, {}, shuffled(200, 1)).graph;
  EXPECT_GT(bandwidth(mixed), 100);
  EXPECT_EQ(permuted(mixed, {}, reverse_cuthill_mckee(mixed)).graph, path);
}

TEST(ReverseCuthillMckee, BringsAShuffledGridBackToItsNarrowBand) {
  const Graph mixed = permuted(grid_graph(40, 10), {}, shuffled(400, 2)).graph;
  EXPECT_LE(bandwidth(permuted(mixed, {}, reverse_cuthill_mckee(mixed)).graph), 11);
}

TEST(ReverseCuthillMckee, GoesThroughOneComponentAfterTheOther) {
  const Graph pieces = in_pieces();
  EXPECT_EQ(bandwidth(permuted(pieces, {}, reverse_cuthill_mckee(pieces)).graph), 1);
}

TEST(DegreeOrder, PutsHubsFirstAndEqualsByNumber) {
  Threads threads(1);
  const Graph graph =
      build_graph(ArcList{.nodes = 5, .from = {3, 3, 3, 1}, .to = {0, 1, 4, 4}}, threads).graph;
  EXPECT_EQ(degree_order(graph), (std::vector<NodeId>{3, 1, 4, 0, 2}));
}

TEST(Permuted, TakesEveryEdgeAlongWithItsWeight) {
  Threads threads(1);
  const WeightedGraph given = build_graph(
      ArcList{.nodes = 4, .from = {0, 0, 1, 2}, .to = {1, 2, 3, 3}, .weights = {1, 2, 3, 4}}, threads);
  const std::vector<NodeId> order = {2, 0, 3, 1};
  const WeightedGraph moved = permuted(given.graph, given.weights, order);
  const WeightedGraph expected = build_graph(
      ArcList{.nodes = 4, .from = {1, 1, 3, 0}, .to = {3, 0, 2, 2}, .weights = {1, 2, 3, 4}}, threads);
  EXPECT_EQ(moved.graph, expected.graph);
  EXPECT_EQ(moved.weights, expected.weights);
}

}  // namespace
}  // namespace heatfront
