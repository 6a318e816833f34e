// SPDX-License-Identifier: MIT
#include "heatfront/label/growth.h"

#include <gtest/gtest.h>

#include "heatfront/train/fit.h"
#include "support/featured_blocks.h"

namespace heatfront {
namespace {

TEST(Growth, SaysWhichOldNodesMovedAndHoldsTheNewLabels) {
  Threads threads(1);
  Session session(fit(test::featured_blocks(threads), {.model = "flow-alone"}, threads).model, threads);
  const Answer before = session.solve();
  NodeId u = 0;  // a node without a label, whom all new ones know
  while (session.known_class(u) != kUnknown) ++u;
  const ClassId other = (before.decisions.classes[at(u)] + 1) % 3;
  NewNodes added{.nodes = 40};
  KnownLabels labels;
  for (NodeId v = 30; v < 70; ++v) {
    added.edges.from.push_back(v);
    added.edges.to.push_back(u);
    labels.nodes.push_back(v);
    labels.classes.push_back(other);
  }
  added.edges.nodes = 70;
  Matrix rows(40, session.model().data.features.cols());
  added.features = Features(std::move(rows));
  const GrownSession result = grow(session, added, labels, 77);
  EXPECT_EQ(result.growth.old_nodes, 30);
  EXPECT_EQ(result.growth.new_nodes, 40);
  EXPECT_EQ(result.growth.new_edges, 40);
  EXPECT_EQ(std::ranges::count(result.growth.moved, u, &ChangedNode::node), 1);
  for (const ChangedNode& moved : result.growth.moved) {
    EXPECT_LT(moved.node, 30);
    EXPECT_EQ(moved.before, before.decisions.classes[at(moved.node)]);
    EXPECT_EQ(moved.after, result.answer.decisions.classes[at(moved.node)]);
  }
  EXPECT_EQ(result.session->known_class(69), other);
  EXPECT_EQ(result.session->model().log.back().time, 77);
  EXPECT_EQ(result.session->undo(), 40);
}

}  // namespace
}  // namespace heatfront
