// SPDX-License-Identifier: MIT
#include "heatfront/graph/neighbourhood.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/reference.h"

namespace heatfront {
namespace {

using test::RandomProblem;

// 0 – 1 – 2 – 3 – 4, and 5 alone.
const Graph kPathAndPoint({0, 1, 3, 5, 7, 8, 8}, {1, 0, 2, 1, 3, 2, 4, 3});

TEST(Neighbourhood, HasTheRingsOfAPathByHand) {
  const Neighbourhood two(kPathAndPoint, std::vector<NodeId>{3, 5}, 2);
  EXPECT_EQ(two.nodes, (std::vector<NodeId>{3, 5, 2, 4, 1}));
  EXPECT_EQ(two.within, (std::vector<std::int64_t>{2, 4, 5}));
  EXPECT_EQ(two.graph, Graph({0, 2, 2, 4, 5, 6}, {2, 3, 0, 4, 0, 2}));
}

TEST(Neighbourhood, IsTheCentresAloneWithoutSteps) {
  const Neighbourhood none(kPathAndPoint, std::vector<NodeId>{2, 1}, 0);
  EXPECT_EQ(none.nodes, (std::vector<NodeId>{2, 1}));
  EXPECT_EQ(none.within, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(none.graph, Graph({0, 1, 2}, {1, 0}));
  EXPECT_TRUE(Neighbourhood(kPathAndPoint, {}, 3).nodes.empty());
}

TEST(Neighbourhood, HasAllNeighboursOfInnerNodesOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Graph graph = RandomProblem(seed, 80, 1, 2).graph;
    const Neighbourhood field(graph, std::vector<NodeId>{7, 3, 50}, seed % 4);
    for (std::size_t d = 0; d + 1 < field.within.size(); ++d) {
      for (std::int64_t i = 0; i < field.within[d]; ++i) {
        const NodeId u = static_cast<NodeId>(i);
        std::vector<NodeId> here;
        for (NodeId v : field.graph.neighbours(u)) {
          EXPECT_LT(v, field.within[d + 1]);
          here.push_back(field.nodes[at(v)]);
        }
        std::ranges::sort(here);
        EXPECT_TRUE(std::ranges::equal(here, graph.neighbours(field.nodes[at(i)])));
      }
    }
  }
}

}  // namespace
}  // namespace heatfront
