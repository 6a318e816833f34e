// SPDX-License-Identifier: MIT
#include "heatfront/graph/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heatfront/graph/build.h"
#include "heatfront/graph/components.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

using Ids = std::vector<NodeId>;

// Sorted, no loops, no repeats, every arc in both directions: then building it again changes nothing.
void expect_sound(const Graph& graph) {
  Threads threads(1);
  const WeightedGraph again =
      build_graph(ArcRows{.offsets = {graph.offsets().begin(), graph.offsets().end()},
                          .targets = {graph.targets().begin(), graph.targets().end()}},
                  threads);
  EXPECT_EQ(again.graph, graph);
  EXPECT_EQ(again.report.loops + again.report.repeats + again.report.one_way, 0);
}

TEST(Generated, PathsGridsStarsAndCompleteGraphsHaveTheirEdges) {
  EXPECT_EQ(path_graph(4), Graph({0, 1, 3, 5, 6}, {1, 0, 2, 1, 3, 2}));
  EXPECT_EQ(grid_graph(2, 2), Graph({0, 2, 4, 6, 8}, {1, 2, 0, 3, 0, 3, 1, 2}));
  EXPECT_EQ(star_graph(3), Graph({0, 2, 3, 4}, {1, 2, 0, 0}));
  EXPECT_EQ(complete_graph(3), Graph({0, 2, 4, 6}, {1, 2, 0, 2, 0, 1}));
  EXPECT_EQ(grid_graph(7, 5).edges(), 7 * 4 + 6 * 5);
  EXPECT_EQ(complete_graph(30).edges(), 30 * 29 / 2);
  for (const Graph& graph : {grid_graph(7, 5), star_graph(9), complete_graph(30), path_graph(100)}) {
    expect_sound(graph);
    EXPECT_EQ(connected_components(graph).count(), 1);
  }
}

TEST(Generated, GraphsOfNoneAndOneNodeHaveNoEdges) {
  for (NodeId nodes : {0, 1}) {
    for (const Graph& graph :
         {path_graph(nodes), star_graph(nodes), complete_graph(nodes), grid_graph(nodes, 1)}) {
      EXPECT_EQ(graph, Graph::without_edges(nodes));
    }
  }
}

TEST(Generated, GraphsRefuseImpossibleSizes) {
  EXPECT_EQ(test::error_text([] { star_graph(-1); }), "star: -1 nodes; there can be 0 to 2147483647");
  EXPECT_EQ(test::error_text([] { grid_graph(100000, 100000); }),
            "grid: 10000000000 nodes; there can be 0 to 2147483647");
  EXPECT_NE(test::error_text([] { grid_graph(-2, -2); }), "");
}

TEST(StochasticBlock, JoinsWithinAndBetweenBlocksAsOftenAsTold) {
  Threads threads(2);
  const auto [graph, labels] =
      stochastic_block_graph({.sizes = {400, 200}, .p_in = 0.1, .p_out = 0.02, .seed = 1}, threads);
  expect_sound(graph);
  ASSERT_EQ(graph.nodes(), 600);
  EXPECT_EQ(std::ranges::count(labels, 0), 400);
  EXPECT_TRUE(std::ranges::is_sorted(labels));
  std::vector<std::int64_t> arcs(3);  // by the sum of the labels of both ends
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    for (NodeId v : graph.neighbours(u)) {
      ++arcs[static_cast<std::size_t>(labels[static_cast<std::size_t>(u)] +
                                      labels[static_cast<std::size_t>(v)])];
    }
  }
  const auto expect_near = [](std::int64_t found, double pairs, double p) {
    EXPECT_NEAR(static_cast<double>(found) / 2, pairs * p, 4 * std::sqrt(pairs * p * (1 - p)));
  };
  expect_near(arcs[0], 400 * 399 / 2, 0.1);
  expect_near(arcs[1], 400 * 200, 0.02);
  expect_near(arcs[2], 200 * 199 / 2, 0.1);
}

TEST(StochasticBlock, DrawsEveryPairEquallyOften) {
  Threads threads(1);
  std::vector<int> degrees(9);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto [graph, labels] =
        stochastic_block_graph({.sizes = {4, 5}, .p_in = 0.5, .p_out = 0.5, .seed = seed}, threads);
    for (NodeId u = 0; u < 9; ++u) degrees[static_cast<std::size_t>(u)] += graph.degree(u);
  }
  for (int degree : degrees) EXPECT_NEAR(degree, 8000, 4 * std::sqrt(4000.0));
}

TEST(StochasticBlock, KnowsCertainAndImpossibleEdges) {
  Threads threads(1);
  const auto certain = stochastic_block_graph({.sizes = {3, 0, 4}, .p_in = 1, .p_out = 1}, threads);
  EXPECT_EQ(certain.graph, complete_graph(7));
  const auto apart = stochastic_block_graph({.sizes = {3, 4}, .p_in = 1, .p_out = 0}, threads);
  EXPECT_EQ(apart.graph.edges(), 3 + 6);
  EXPECT_EQ(homophily(apart.graph, apart.labels), 1);
  EXPECT_EQ(stochastic_block_graph({}, threads).graph.nodes(), 0);
  EXPECT_EQ(test::error_text([&] { stochastic_block_graph({.sizes = {3}, .p_in = 2}, threads); }),
            "stochastic block: 2 is no probability; it must be 0 to 1");
}

TEST(StochasticBlock, CostsWhatItMakes) {
  Threads threads(1);
  const auto result = stochastic_block_graph({.sizes = {1'000'000}, .p_in = 1e-9, .seed = 1}, threads);
  EXPECT_NEAR(static_cast<double>(result.graph.edges()), 500, 4 * std::sqrt(500.0));
}

TEST(TwoMoons, LieOnTheirHalfCirclesWithoutNoise) {
  const auto [points, labels] = two_moons({.points = 101});
  EXPECT_EQ(std::ranges::count(labels, 0), 51);
  EXPECT_EQ(std::ranges::count(labels, 1), 50);
  for (std::int64_t u = 0; u < points.rows(); ++u) {
    const double x = static_cast<double>(points(u, 0)), y = static_cast<double>(points(u, 1));
    const bool first = labels[static_cast<std::size_t>(u)] == 0;
    EXPECT_NEAR(first ? std::hypot(x, y) : std::hypot(x - 1, y - 0.5), 1, 1e-6);
    EXPECT_TRUE(first ? y > -1e-6 : y < 0.5 + 1e-6);
  }
}

TEST(TwoMoons, AreAFunctionOfTheSeed) {
  const auto first = two_moons({.points = 50, .noise = 0.1, .seed = 3});
  const auto same = two_moons({.points = 50, .noise = 0.1, .seed = 3});
  const auto other = two_moons({.points = 50, .noise = 0.1, .seed = 4});
  EXPECT_EQ(first.points(7, 1), same.points(7, 1));
  EXPECT_NE(first.points(7, 1), other.points(7, 1));
  EXPECT_NE(test::error_text([] { two_moons({.points = 2, .noise = -1}); }), "");
}

TEST(Rmat, IsTheSameGraphForAnyNumberOfThreads) {
  const auto made = [](int count, std::uint64_t seed) {
    Threads threads(count);
    return rmat_graph({.scale = 12, .arcs = 300'000, .seed = seed}, threads);
  };
  const Graph one = made(1, 5);
  expect_sound(one);
  EXPECT_EQ(one.nodes(), 4096);
  EXPECT_LE(one.arcs(), 300'000);
  EXPECT_GT(one.arcs(), 150'000);
  for (int count : {2, 3, 8}) EXPECT_EQ(made(count, 5), one);
  EXPECT_NE(made(1, 6), one);
}

// With a = 1 every choice is the first quarter; with a = b = c = ¼ all nodes are alike; else low numbers have
// more.
TEST(Rmat, FollowsItsProbabilities) {
  Threads threads(2);
  EXPECT_EQ(rmat_graph({.scale = 5, .arcs = 1000, .a = 1, .b = 0, .c = 0}, threads).arcs(), 0);
  const auto share_of_lower_half = [&](const Graph& graph) {
    return static_cast<double>(graph.begin_of(graph.nodes() / 2)) / static_cast<double>(graph.arcs());
  };
  const Graph even = rmat_graph({.scale = 11, .arcs = 20'000, .a = 0.25, .b = 0.25, .c = 0.25}, threads);
  EXPECT_NEAR(share_of_lower_half(even), 0.5, 0.02);
  const Graph skewed = rmat_graph({.scale = 20, .arcs = 20'000}, threads);
  EXPECT_NEAR(share_of_lower_half(skewed), 0.76, 0.02);  // a + (b + c) / 2
}

TEST(Rmat, DrawsEdgesOfAnyNumberFromAnyPlaceOn) {
  const RmatOptions options{.scale = 20, .arcs = ArcId{1} << 40, .seed = 3};
  const auto drawn = [&](std::int64_t first, std::size_t count) {
    std::vector<NodeId> ends(2 * count);
    draw_rmat_edges(options, first, std::span(ends).first(count), std::span(ends).subspan(count), {});
    return ends;
  };
  constexpr std::int64_t kFar = std::int64_t{1} << 33;
  const std::vector<NodeId> far = drawn(kFar, 4);
  EXPECT_EQ(drawn(kFar + 3, 1), (std::vector<NodeId>{far[3], far[7]}));
  EXPECT_NE(far, drawn(0, 4));
  EXPECT_NE(far, drawn(std::int64_t{1} << 32, 4));
}

TEST(Rmat, RefusesWhatCannotBe) {
  Threads threads(1);
  EXPECT_EQ(test::error_text([&] { rmat_graph({.scale = 31}, threads); }),
            "R-MAT: scale is 31; it must be 0 to 30");
  EXPECT_NE(test::error_text([&] { rmat_graph({.scale = 3, .arcs = -1}, threads); }), "");
  EXPECT_NE(test::error_text([&] { rmat_graph({.scale = 3, .arcs = 1, .a = 0.9}, threads); }), "");
  EXPECT_EQ(rmat_graph({}, threads), Graph::without_edges(1));
}

TEST(FraudAccounts, HaveTheShareOfFraudAskedForWhichKeepsToItselfAndShowsInThreeFeatures) {
  Threads one(1), two(2);
  const LabelledAccounts made = fraud_accounts({.nodes = 2000, .positive = 0.05, .seed = 3}, one);
  EXPECT_EQ(std::ranges::count(made.labels, 1), 100);
  std::int64_t among = 0, from = 0;
  std::vector<double> sums(8);
  for (NodeId u = 0; u < 2000; ++u) {
    if (made.labels[at(u)] == 0) continue;
    for (NodeId v : made.graph.neighbours(u)) {
      ++from;
      among += made.labels[at(v)];
    }
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] += static_cast<double>(made.features.row(u)[k]) / 100;
  }
  EXPECT_GT(static_cast<double>(among) / static_cast<double>(from), 0.25);  // of all nodes it is 0.05
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(sums[k], 2.0 / 3, 0.4);
  for (std::size_t k = 3; k < 8; ++k) EXPECT_NEAR(sums[k], 0, 0.4);
  const LabelledAccounts same = fraud_accounts({.nodes = 2000, .positive = 0.05, .seed = 3}, two);
  EXPECT_EQ(same.labels, made.labels);
  EXPECT_TRUE(std::ranges::equal(same.graph.targets(), made.graph.targets()));
  EXPECT_NE(fraud_accounts({.nodes = 2000, .positive = 0.05, .seed = 4}, one).labels, made.labels);
  EXPECT_EQ(test::error_text([&] { fraud_accounts({.nodes = 9, .ring = 0.9}, one); }),
            "fraud: ring is 0.9; it must be at most 0.7");
}

}  // namespace
}  // namespace heatfront
