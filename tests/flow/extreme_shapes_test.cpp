// SPDX-License-Identifier: MIT
// Graphs and numbers of classes that are large in one way.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "heatfront/flow/decide.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/generate.h"
#include "support/reference.h"

namespace heatfront {
namespace {

// From one end the heat goes as it would on the line without end: erfc(u / √(4t)).
TEST(ExtremeShapes, APathOfAMillionNodesWarmsFromItsEnd) {
  Threads threads(2);
  const Graph path = path_graph(1'000'000);
  const KnownLabels known{{0}, {0}};
  const Temperatures answer = solve_dirichlet(
      {.graph = path, .weights = {}, .classes = 1, .known = known},
      {.time = 100, .laplacian = {.kind = LaplacianKind::combinatorial, .self_loop = 0}}, threads);
  for (NodeId u : {1, 5, 20, 40})
    EXPECT_NEAR(answer.values(u, 0), std::erfc(u / std::sqrt(400.0)), 2e-3) << u;
  EXPECT_EQ(answer.values(999'999, 0), 0);
  const Temperatures rest = solve_dirichlet({.graph = path, .weights = {}, .classes = 1, .known = known},
                                            {.time = FlowOptions::kForever}, threads);
  EXPECT_TRUE(test::all_finite(rest.values));
}

TEST(ExtremeShapes, AStarTakesTheClassOfMostOfItsLeaves) {
  Threads threads(2);
  const Graph star = star_graph(100'000);
  KnownLabels known;
  for (NodeId u = 1; u <= 1000; ++u) {
    known.nodes.push_back(u);
    known.classes.push_back(u % 10 < 7 ? 1 : 0);
  }
  const Answer answer = solve_and_decide({.graph = star, .weights = {}, .classes = 2, .known = known},
                                         {.time = FlowOptions::kForever}, threads);
  EXPECT_EQ(answer.decisions.classes[0], 1);
  EXPECT_EQ(answer.decisions.classes[99'999], 1);
}

TEST(ExtremeShapes, ACompleteGraphGivesEveryNodeTheMeanOfTheLabels) {
  Threads threads(2);
  const Graph complete = complete_graph(400);
  const KnownLabels known{{0, 1, 2, 3}, {0, 0, 0, 1}};
  const Temperatures answer =
      solve_dirichlet({.graph = complete, .weights = {}, .classes = 2, .known = known},
                      {.time = FlowOptions::kForever,
                       .solve = {.tolerance = 1e-6},
                       .laplacian = {.kind = LaplacianKind::random_walk}},
                      threads);
  for (NodeId u : {4, 100, 399}) EXPECT_NEAR(answer.values(u, 0), 0.75, 1e-3) << u;
}

TEST(ExtremeShapes, AHundredThousandComponentsAreReachedOrSaidNotToBe) {
  Threads threads(2);
  ArcList arcs{.nodes = 200'000};
  for (NodeId u = 0; u < arcs.nodes; u += 2) {
    arcs.from.push_back(u);
    arcs.to.push_back(u + 1);
  }
  const Graph pairs = build_graph(std::move(arcs), threads).graph;
  const KnownLabels known{{0, 10}, {0, 1}};
  for (double time : {5.0, FlowOptions::kForever}) {
    const Answer answer = solve_and_decide({.graph = pairs, .weights = {}, .classes = 2, .known = known},
                                           {.time = time}, threads);
    EXPECT_EQ(answer.decisions.count(NodeStatus::decided), 2);
    EXPECT_EQ(answer.decisions.count(NodeStatus::unreached), 200'000 - 4);
    EXPECT_EQ(answer.decisions.classes[11], 1);
  }
}

TEST(ExtremeShapes, AThousandClassesComeOutTheSameInBlocksOfColumns) {
  Threads threads(2);
  constexpr ClassId kThousand = 1000;
  const Graph grid = grid_graph(40, 50);
  KnownLabels known;
  for (NodeId u = 0; u < grid.nodes(); u += 2) {
    known.nodes.push_back(u);
    known.classes.push_back(u / 2);
  }
  const DirichletProblem problem{.graph = grid, .weights = {}, .classes = kThousand, .known = known};
  for (double time : {3.0, FlowOptions::kForever}) {
    const Temperatures whole = solve_dirichlet(problem, {.time = time}, threads);
    const Temperatures blocks =
        solve_dirichlet(problem, {.time = time, .memory_limit = std::int64_t{4} << 20}, threads);
    for (std::int64_t u = 0; u < whole.values.rows(); ++u) {
      for (std::int64_t c = 0; c < kThousand; ++c) {
        if (time < FlowOptions::kForever) {
          ASSERT_EQ(whole.values(u, c), blocks.values(u, c)) << u << " " << c;
        } else {
          ASSERT_NEAR(whole.values(u, c), blocks.values(u, c), 2 * whole.report.error_estimate)
              << u << " " << c;
        }
      }
    }
  }
}

}  // namespace
}  // namespace heatfront
