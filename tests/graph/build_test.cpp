// SPDX-License-Identifier: MIT
#include "heatfront/graph/build.h"

#include <gtest/gtest.h>

#include <map>

#include "heatfront/base/random.h"

namespace heatfront {
namespace {

using Ids = std::vector<NodeId>;
using Weights = std::vector<Real>;

WeightedGraph built(ArcList arcs) {
  Threads threads(2);
  return build_graph(std::move(arcs), threads);
}

Ids neighbours(const Graph& graph, NodeId u) {
  const auto found = graph.neighbours(u);
  return {found.begin(), found.end()};
}

TEST(BuildGraph, JoinsBothDirectionsAndCountsTheEdgesGivenInOne) {
  const auto result = built({.nodes = 4, .from = {0, 1, 2}, .to = {1, 0, 1}});
  EXPECT_EQ(result.graph.edges(), 2);
  EXPECT_EQ(neighbours(result.graph, 1), (Ids{0, 2}));
  EXPECT_EQ(result.graph.degree(3), 0);
  EXPECT_EQ(result.report.one_way, 1);
  EXPECT_TRUE(result.weights.empty());
}

TEST(BuildGraph, RemovesLoopsZerosAndRepeatsAndCountsThem) {
  const auto result = built(
      {.nodes = 3, .from = {0, 0, 0, 1, 1, 2}, .to = {0, 1, 1, 0, 2, 1}, .weights = {9, 1, 2, 3, 0, 0}});
  EXPECT_EQ(result.graph.arcs(), 2);
  EXPECT_EQ(result.weights, (Weights{3, 3}));
  EXPECT_EQ(result.report.loops, 1);
  EXPECT_EQ(result.report.zeros, 2);
  EXPECT_EQ(result.report.repeats, 1);
  EXPECT_EQ(result.report.one_way, 0);
}

TEST(BuildGraph, AveragesDirectionsOfDifferentWeight) {
  const auto result = built({.nodes = 2, .from = {0, 1}, .to = {1, 0}, .weights = {1, 3}});
  EXPECT_EQ(result.weights, (Weights{2, 2}));
  EXPECT_EQ(result.report.uneven, 1);
}

TEST(BuildGraph, NeedsNoWeightsWhereAllAreOne) {
  EXPECT_TRUE(built({.nodes = 2, .from = {0}, .to = {1}, .weights = {1}}).weights.empty());
}

TEST(BuildGraph, TakesCleanRowsAsTheyAre) {
  Threads threads(1);
  const auto result = build_graph(ArcRows{.offsets = {0, 1, 3, 4}, .targets = {1, 0, 2, 1}}, threads);
  EXPECT_EQ(result.graph.edges(), 2);
  EXPECT_EQ(result.report.one_way, 0);
}

// Against a map from pairs to weights, the slow and obvious way.
TEST(BuildGraph, AgreesWithAMapOnRandomArcs) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Random random(seed);
    const auto nodes = static_cast<NodeId>(1 + random.below(12, 0));
    const auto count = random.below(40, 1);
    const bool weighted = seed % 2 == 1;
    ArcList arcs{.nodes = nodes};
    std::map<std::pair<NodeId, NodeId>, Real> given;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto u = static_cast<NodeId>(random.below(static_cast<std::uint64_t>(nodes), 10 + 3 * i));
      const auto v = static_cast<NodeId>(random.below(static_cast<std::uint64_t>(nodes), 11 + 3 * i));
      const Real w = weighted ? static_cast<Real>(random.below(4, 12 + 3 * i)) : Real(1);
      arcs.from.push_back(u);
      arcs.to.push_back(v);
      if (weighted) arcs.weights.push_back(w);
      if (u == v || w == 0) continue;
      if (weighted) given[{u, v}] += w;
      if (!weighted) given[{u, v}] = 1;
    }
    std::map<std::pair<NodeId, NodeId>, Real> expected;
    for (const auto& [arc, w] : given) {
      const auto back = given.find({arc.second, arc.first});
      const Real mean = back == given.end() ? w : (w + back->second) / 2;
      expected[arc] = expected[{arc.second, arc.first}] = mean;
    }

    ArcRows rows{.offsets = std::vector<ArcId>(static_cast<std::size_t>(nodes) + 1)};
    for (NodeId u = 0; u < nodes; ++u) {
      for (std::size_t i = 0; i < arcs.from.size(); ++i) {
        if (arcs.from[i] != u) continue;
        rows.targets.push_back(arcs.to[i]);
        if (weighted) rows.weights.push_back(arcs.weights[i]);
      }
      rows.offsets[static_cast<std::size_t>(u) + 1] = static_cast<ArcId>(rows.targets.size());
    }
    Threads threads(3);
    for (const WeightedGraph& result : {built(arcs), build_graph(rows, threads)}) {
      std::map<std::pair<NodeId, NodeId>, Real> found;
      for (NodeId u = 0; u < nodes; ++u) {
        for (ArcId a = result.graph.begin_of(u); a < result.graph.begin_of(u + 1); ++a) {
          const auto arc = static_cast<std::size_t>(a);
          found[{u, result.graph.targets()[arc]}] = result.weights.empty() ? Real(1) : result.weights[arc];
        }
      }
      EXPECT_EQ(found, expected) << "seed " << seed;
      EXPECT_EQ(found.size(), static_cast<std::size_t>(result.graph.arcs()));
    }
  }
}

}  // namespace
}  // namespace heatfront
