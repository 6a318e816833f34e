// SPDX-License-Identifier: MIT
#include "heatfront/label/rank.h"

#include <gtest/gtest.h>

#include "support/error_text.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

TEST(Rank, ListsNodesWithoutALabelByHowLikelyTheClassIs) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const Answer answer = session.solve();
  const Ranking ranking = rank(session, answer, {.label = 1, .count = 7});
  ASSERT_EQ(ranking.nodes.size(), 7u);
  EXPECT_EQ(ranking.candidates, 30);
  double last = 1;
  for (const RankedNode& node : ranking.nodes) {
    EXPECT_EQ(session.known_class(node.node), kUnknown);
    EXPECT_DOUBLE_EQ(node.share, class_shares(answer, node.node)[1]);
    EXPECT_LE(node.share, last);
    last = node.share;
  }
  for (NodeId u = 0; u < 34; ++u) {
    const bool listed = std::ranges::count(ranking.nodes, u, &RankedNode::node) > 0;
    if (!listed && session.known_class(u) == kUnknown) {
      EXPECT_LE(class_shares(answer, u)[1], last);
    }
  }
}

TEST(Rank, ExplainsTheClassThatWasAskedForAlsoWhereTheNodeHasAnother) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const Answer answer = session.solve();
  const Ranking ranking = rank(session, answer, {.label = 0, .count = 1000, .known = true});
  ASSERT_EQ(ranking.nodes.size(), 34u);
  EXPECT_EQ(ranking.nodes.front().share, 1);  // known to be of it
  EXPECT_EQ(ranking.nodes.back().share, 0);   // known to be of the other
  bool met_other = false;
  for (const RankedNode& node : ranking.nodes) {
    ASSERT_TRUE(node.reasons);
    const Explanation& e = *node.reasons;
    EXPECT_EQ(e.label, 0);
    EXPECT_EQ(e.given, answer.decisions.classes[at(node.node)]);
    EXPECT_NEAR(e.lead, e.lead_from_labels + e.lead_from_front, 1e-5);
    if (e.given != 1 || e.status == NodeStatus::known) continue;
    met_other = true;
    EXPECT_LE(e.lead, 0);
    EXPECT_LE(node.share, 0.5);
  }
  EXPECT_TRUE(met_other);
}

TEST(Rank, RefusesAClassThatIsNotThereAndNoNodes) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const Answer answer = session.solve();
  EXPECT_NE(test::error_text([&] { rank(session, answer, {.label = 2}); }).find("class"), std::string::npos);
  EXPECT_NE(test::error_text([&] { rank(session, answer, {.count = 0}); }).find("1 or more"),
            std::string::npos);
}

TEST(ExplainMany, SaysTheSameAsOneAtATime) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const Answer answer = session.solve();
  std::vector<NodeId> nodes;
  for (NodeId u = 33; u >= 0; --u) nodes.push_back(u);  // more than one block
  const std::vector<Explanation> many = explain(session, answer, nodes, {.without = 0});
  ASSERT_EQ(many.size(), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Explanation one = explain(session, answer, nodes[i], {.without = 0});
    EXPECT_EQ(many[i].node, nodes[i]);
    EXPECT_EQ(many[i].label, one.label);
    EXPECT_NEAR(many[i].lead_from_labels, one.lead_from_labels, 1e-6);
    EXPECT_NEAR(many[i].lead_from_front, one.lead_from_front, 1e-6);
    EXPECT_EQ(many[i].times, one.times);
    EXPECT_LT(many[i].residual, 1e-5);
  }
}

}  // namespace
}  // namespace heatfront
