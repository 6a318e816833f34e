// SPDX-License-Identifier: MIT
#include "heatfront/graph/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "heatfront/graph/generate.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

GraphRows rows_of(const Graph& graph) { return {graph.offsets(), graph.targets(), {}}; }

TEST(Partition, PutsNodesByPartAndKeepsTheirOrderWithin) {
  const Partition partition = partition_by(std::vector<std::int32_t>{2, 0, 2, 0, 0}, 4);
  EXPECT_EQ(partition.nodes, (std::vector<NodeId>{1, 3, 4, 0, 2}));
  EXPECT_EQ(partition.places, (std::vector<NodeId>{3, 0, 4, 1, 2}));
  EXPECT_EQ(partition.starts, (std::vector<std::int64_t>{0, 3, 3, 5, 5}));
  EXPECT_EQ(partition.part_of(2), 0);
  EXPECT_EQ(partition.part_of(3), 2);
}

TEST(Partition, RefusesPartsThatThereAreNot) {
  EXPECT_EQ(test::error_text([] {
              partition_by(std::vector<std::int32_t>{0, 2}, 2);
            }),
            "parts of nodes: entry 1 is 2; it must be from 0 to 1");
  EXPECT_EQ(test::error_text([] { partition_by({}, 0); }), "0 parts; there can be 1 to 4096");
}

TEST(Partition, CountsTheCutOfAPathByHand) {
  const Graph path = path_graph(6);  // 0 1 2 | 3 4 | 5
  const Partition partition = partition_by(std::vector<std::int32_t>{0, 0, 0, 1, 1, 2}, 3);
  const PartCount middle =
      walk_parts(rows_of(path), partition, 1, 2, [](int, NodeId, std::span<const NodeId>) {})[0];
  EXPECT_EQ(middle.rows, 2);
  EXPECT_EQ(middle.arcs, 4);
  EXPECT_EQ(middle.cut, 2);
  EXPECT_EQ(middle.ghosts, 2);
  EXPECT_EQ(middle.neighbours, 2);
  const PartRows rows = rows_of_part(rows_of(path), partition, 1);
  EXPECT_EQ(rows.ids, (std::vector<NodeId>{3, 4}));
  EXPECT_EQ(rows.offsets, (std::vector<ArcId>{0, 2, 4}));
  EXPECT_EQ(rows.targets, (std::vector<NodeId>{-1, 1, 0, 2}));
}

TEST(Partition, CountsGhostsAsASetDoes) {
  Threads threads(1);
  const Graph graph = rmat_graph({.scale = 8, .arcs = 2000, .seed = 3}, threads);
  const std::vector<std::int32_t> parts = stream_parts(rows_of(graph), 4, [](int, int) {});
  const Partition partition = partition_by(parts, 4);
  const std::vector<PartCount> counts =
      walk_parts(rows_of(graph), partition, 0, 4, [](int, NodeId, std::span<const NodeId>) {});
  for (int part = 0; part < 4; ++part) {
    std::set<NodeId> ghosts;
    for (NodeId u = 0; u < graph.nodes(); ++u) {
      for (NodeId v : graph.neighbours(u)) {
        if (parts[at(u)] == part && parts[at(v)] != part) ghosts.insert(v);
      }
    }
    EXPECT_EQ(counts[at(part)].ghosts, std::ssize(ghosts));
  }
}

TEST(Partition, ForecastsAProductByHand) {
  const std::vector<PartCount> parts = {{.ghosts = 1000, .neighbours = 1}, {.ghosts = 3000, .neighbours = 2}};
  const double row = 8 * sizeof(Real);  // of seven classes
  const ProductForecast forecast = forecast_product(parts, 7, {.latency = 1e-3, .bandwidth = 1e6});
  EXPECT_DOUBLE_EQ(forecast.bytes, 4000 * row);
  EXPECT_DOUBLE_EQ(forecast.seconds, 2e-3 + 3000 * row / 1e6);
}

TEST(Partition, OfBlocksSharesTheWorkOut) {
  const std::vector<std::int32_t> parts = block_parts(rows_of(grid_graph(20, 20)), 4);
  EXPECT_TRUE(std::ranges::is_sorted(parts));
  for (int part = 0; part < 4; ++part)
    EXPECT_NEAR(static_cast<double>(std::ranges::count(parts, part)), 100, 4);
}

TEST(Partition, ByStreamingFindsTheTwoHalvesOfAGraphAndBalancesThem) {
  Threads threads(1);
  const LabelledGraph blocks =
      stochastic_block_graph({.sizes = {200, 200}, .p_in = 0.1, .p_out = 0.002, .seed = 1}, threads);
  const std::vector<std::int32_t> parts = stream_parts(rows_of(blocks.graph), 2, [](int, int) {});
  std::int64_t cut = 0;
  for (NodeId u = 0; u < 400; ++u) {
    for (NodeId v : blocks.graph.neighbours(u)) cut += parts[at(u)] != parts[at(v)];
  }
  EXPECT_LT(static_cast<double>(cut), 0.1 * static_cast<double>(blocks.graph.arcs()));
  EXPECT_NEAR(static_cast<double>(std::ranges::count(parts, 0)), 200, 20);
}

TEST(Partition, ByStreamingCopesWithNoNodesAndMorePartsThanNodes) {
  EXPECT_TRUE(stream_parts(rows_of(Graph()), 3, [](int, int) {}).empty());
  const std::vector<std::int32_t> parts = stream_parts(rows_of(path_graph(3)), 8, [](int, int) {});
  EXPECT_EQ(parts.size(), 3u);
}

}  // namespace
}  // namespace heatfront
