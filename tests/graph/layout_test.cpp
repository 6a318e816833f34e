// SPDX-License-Identifier: MIT
#include "heatfront/graph/layout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/graph/build.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/generate.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

Matrix laid_out(const Graph& graph, const LayoutOptions& options = {}, int thread_count = 1) {
  Threads threads(thread_count);
  return layout(graph, {}, options, threads);
}

double distance(const Matrix& places, NodeId u, NodeId v) {
  return static_cast<double>(std::hypot(places(u, 0) - places(v, 0), places(u, 1) - places(v, 1)));
}

double mean_edge(const Graph& graph, const Matrix& places) {
  double sum = 0;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    for (const NodeId v : graph.neighbours(u)) sum += distance(places, u, v);
  }
  return sum / static_cast<double>(graph.arcs());
}

TEST(Layout, OfTwoBlocksDrawsThemApart) {
  Threads threads(2);
  const LabelledGraph blocks =
      stochastic_block_graph({.sizes = {150, 150}, .p_in = 0.2, .p_out = 0.005, .seed = 1}, threads);
  const Matrix places = laid_out(blocks.graph);
  double inside = 0, across = 0;
  for (NodeId u = 0; u < 150; ++u) {
    for (NodeId v = 0; v < 150; ++v) {
      inside += distance(places, u, v);
      across += distance(places, u, v + 150);
    }
  }
  EXPECT_GT(across, 1.7 * inside);
}

TEST(Layout, UnfoldsAGrid) {
  const Graph grid = grid_graph(40, 40);
  const Matrix places = laid_out(grid, {.rounds = 200});
  const double edge = mean_edge(grid, places);
  // From corner to corner of a flat grid are 39 √2 = 55 edges; folded it would be far less.
  EXPECT_GT(distance(places, 0, 1599), 30 * edge);
  EXPECT_GT(distance(places, 39, 1560), 30 * edge);
  for (NodeId u = 0; u + 1 < 40; ++u) EXPECT_LT(distance(places, u, u + 1), 5 * edge);
}

TEST(Layout, HasTheSameBitsForAnyNumberOfThreads) {
  Threads threads(2);
  const Graph graph = rmat_graph({.scale = 12, .arcs = 20000, .seed = 3}, threads);
  const Matrix one = laid_out(graph, {.rounds = 5}, 1), three = laid_out(graph, {.rounds = 5}, 3);
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    ASSERT_EQ(one(u, 0), three(u, 0));
    ASSERT_EQ(one(u, 1), three(u, 1));
  }
}

TEST(Layout, GoesOnWhereItWas) {
  Threads threads(2);
  const Graph graph = grid_graph(10, 10);
  Layout in_steps(graph, {}, {}, threads);
  for (const std::int64_t rounds : {7, 13, 1}) in_steps.advance(rounds, threads);
  EXPECT_EQ(in_steps.rounds(), 21);
  const Matrix steps = in_steps.positions(), once = laid_out(graph, {.rounds = 21});
  for (NodeId u = 0; u < graph.nodes(); ++u) EXPECT_EQ(steps(u, 0), once(u, 0));
}

TEST(Layout, BegunAtPlacesOfOneThatIsDoneStaysThere) {
  Threads threads(2);
  const Graph graph = grid_graph(12, 12);
  const Matrix done = laid_out(graph, {.rounds = 600});
  Layout again(graph, {}, {}, done, threads);
  again.advance(20, threads);
  const Matrix places = again.positions();
  double moved = 0;
  for (NodeId u = 0; u < graph.nodes(); ++u)
    moved += std::hypot(static_cast<double>(places(u, 0) - done(u, 0)),
                        static_cast<double>(places(u, 1) - done(u, 1)));
  EXPECT_LT(moved / graph.nodes(), 0.2 * mean_edge(graph, done));
}

// A core of 300, twenty stars and 200 lone nodes.
Graph core_and_strays() {
  Threads threads(1);
  const LabelledGraph core = stochastic_block_graph({.sizes = {300}, .p_in = 0.05, .seed = 2}, threads);
  ArcList arcs{.nodes = 300 + 20 * 6 + 200};
  for (NodeId u = 0; u < 300; ++u) {
    for (const NodeId v : core.graph.neighbours(u)) {
      arcs.from.push_back(u);
      arcs.to.push_back(v);
    }
  }
  for (NodeId star = 0; star < 20; ++star) {
    for (NodeId leaf = 1; leaf < 6; ++leaf) {
      arcs.from.push_back(300 + 6 * star);
      arcs.to.push_back(300 + 6 * star + leaf);
    }
  }
  return build_graph(std::move(arcs), threads).graph;
}

TEST(Layout, LeavesNoComponentOnAnother) {
  const Graph graph = core_and_strays();
  const Components components = connected_components(graph);
  const Matrix places = laid_out(graph, {.rounds = 100});
  struct Disc {
    double x = 0, y = 0, radius = 0;
  };
  std::vector<Disc> discs(at(components.count()));
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    Disc& disc = discs[at(components.of[at(u)])];
    const double size = components.sizes[at(components.of[at(u)])];
    disc.x += static_cast<double>(places(u, 0)) / size;
    disc.y += static_cast<double>(places(u, 1)) / size;
  }
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    Disc& disc = discs[at(components.of[at(u)])];
    disc.radius = std::max(disc.radius, std::hypot(static_cast<double>(places(u, 0)) - disc.x,
                                                   static_cast<double>(places(u, 1)) - disc.y));
  }
  for (std::size_t i = 0; i < discs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(std::hypot(discs[i].x - discs[j].x, discs[i].y - discs[j].y),
                discs[i].radius + discs[j].radius + 1);
  }
}

TEST(Layout, DoesNotLetStraysShrinkTheCore) {
  const Graph graph = core_and_strays();
  const Matrix places = laid_out(graph, {.rounds = 100});
  double core = 0, all = 0;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const double radius = static_cast<double>(std::hypot(places(u, 0), places(u, 1)));
    all = std::max(all, radius);
    if (u < 300) core = std::max(core, radius);
  }
  EXPECT_GT(core, 0.5 * all);  // 300 of 620 nodes: √(300/620) = 0.7 of the radius were nothing wasted
}

TEST(Layout, TakesGraphsOfHardlyAnyNodes) {
  EXPECT_EQ(laid_out(Graph()).rows(), 0);
  const Matrix one = laid_out(Graph::without_edges(1));
  EXPECT_EQ(one(0, 0), 0);
  EXPECT_EQ(one(0, 1), 0);
  EXPECT_NEAR(distance(laid_out(path_graph(2)), 0, 1), 2, 1e-6);
  EXPECT_GE(distance(laid_out(Graph::without_edges(2)), 0, 1), 2 * (1 - 1e-6));
  const Matrix path = laid_out(path_graph(3));
  EXPECT_GT(distance(path, 0, 2), 1.9 * distance(path, 0, 1));
}

TEST(Layout, LetsStrongEdgesPullMoreAndEdgesOfWeightZeroNotAtAll) {
  Threads threads(1);
  const WeightedGraph triangle =
      build_graph(ArcList{.nodes = 3, .from = {0, 1, 2}, .to = {1, 2, 0}, .weights = {4, 1, 1}}, threads);
  const Matrix pulled = layout(triangle.graph, triangle.weights, {}, threads);
  EXPECT_LT(distance(pulled, 0, 1), 0.8 * distance(pulled, 1, 2));
  const Matrix apart = layout(path_graph(2), std::vector<Real>{0, 0}, {}, threads);
  EXPECT_GE(distance(apart, 0, 1), 2 * (1 - 1e-6));
}

TEST(Layout, RefusesWrongPlacesAndOptions) {
  Threads threads(1);
  const Matrix three(3, 2);
  EXPECT_EQ(test::error_text([&] { Layout(path_graph(4), {}, {}, three, threads); }),
            "layout: places are 3 × 2; they must be 4 × 2, a row per node");
  EXPECT_EQ(test::error_text([&] { Layout(path_graph(4), {}, {.gravity = -1}, threads); }),
            "layout: gravity is '-1', but must be a number from 0 to 1000000");
}

TEST(Layout, CanBeStopped) {
  Threads threads(1);
  EXPECT_THROW(layout(path_graph(9), {}, {}, threads, [](const Progress& p) { return p.done < 10; }),
               Interrupted);
}

}  // namespace
}  // namespace heatfront
