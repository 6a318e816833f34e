// SPDX-License-Identifier: MIT
#include "heatfront/graph/graph.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace heatfront {
namespace {

TEST(GraphArrays, AreSharedByCopiesAndOutliveTheFirst) {
  auto first = std::make_unique<Graph>(std::vector<ArcId>{0, 1, 3, 4}, std::vector<NodeId>{1, 0, 2, 1});
  const Graph copy = *first;
  EXPECT_EQ(copy.targets().data(), first->targets().data());
  first.reset();
  EXPECT_EQ(copy.edges(), 2);
  EXPECT_EQ(copy.neighbours(1)[1], 2);
}

TEST(GraphArrays, CanBelongToSomebodyElseWhoIsKeptAsLongAsNeeded) {
  struct Owner {
    std::vector<ArcId> offsets = {0, 1, 2};
    std::vector<NodeId> targets = {1, 0};
  };
  auto owner = std::make_shared<const Owner>();
  const std::weak_ptr<const Owner> watch = owner;
  {
    Graph copy;
    {
      const Graph lent(owner->offsets, owner->targets, owner);
      EXPECT_EQ(lent.targets().data(), owner->targets.data());
      copy = lent;
      owner.reset();
    }
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(copy, Graph(std::vector<ArcId>{0, 1, 2}, std::vector<NodeId>{1, 0}));
  }
  EXPECT_TRUE(watch.expired());
}

TEST(GraphArrays, CompareByWhatTheyHold) {
  EXPECT_EQ(Graph(), Graph::without_edges(0));
  EXPECT_NE(Graph(), Graph::without_edges(1));
  EXPECT_EQ(Graph().nodes(), 0);
}

}  // namespace
}  // namespace heatfront
