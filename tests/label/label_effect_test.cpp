// SPDX-License-Identifier: MIT
#include "heatfront/label/label_effect.h"

#include <gtest/gtest.h>

#include "support/small_model.h"

namespace heatfront {
namespace {

using test::karate_model;

TEST(LabelEffect, CountsWhatWasAddedChangedAndRemoved) {
  Threads threads(1);
  Session session(karate_model(), threads);
  const BeforeLabels before = before_labels(session);
  const std::vector<NodeId> held = session.model().known.nodes;
  const NodeId added = session.model().split().test[0];
  session.set(added, 0);
  session.set(held[0], 1 - session.known_class(held[0]));
  session.unset(held[1]);
  const LabelEffect effect = effect_of(before, session, session.solve());
  EXPECT_EQ(effect.labels.added, 1);
  EXPECT_EQ(effect.labels.changed, 1);
  EXPECT_EQ(effect.labels.removed, 1);
  EXPECT_EQ(effect.labels.set.size(), 2u);
}

TEST(LabelEffect, TellsNodesThatMovedFromThoseThatWereTold) {
  Threads threads(1);
  Session session(karate_model(), threads);
  const BeforeLabels before = before_labels(session);
  const NodeId u = session.model().split().test[0];
  session.set(u, 1 - before.answer.decisions.classes[at(u)]);
  const LabelEffect effect = effect_of(before, session, session.solve());
  ASSERT_EQ(effect.told.size(), 1u);
  EXPECT_EQ(effect.told[0].node, u);
  for (const ChangedNode& node : effect.moved) EXPECT_NE(node.node, u);
}

TEST(LabelEffect, ComparesAccuraciesByNodesThatAreKnownNeitherBeforeNorAfter) {
  Threads threads(1);
  Session session(karate_model(), threads);
  const std::size_t judges = session.model().split().test.size();
  const BeforeLabels before = before_labels(session);
  session.set(session.model().split().test[0], 0);
  const LabelEffect effect = effect_of(before, session, session.solve());
  EXPECT_EQ(effect.judges.test.size(), judges - 1);
  EXPECT_FALSE(effect.judged_before.test_included);
  EXPECT_TRUE(effect.judged.test_included);
}

}  // namespace
}  // namespace heatfront
