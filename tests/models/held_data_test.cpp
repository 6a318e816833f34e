// SPDX-License-Identifier: MIT
#include "heatfront/models/held_data.h"

#include <gtest/gtest.h>

#include "heatfront/label/session.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

TEST(HeldLabels, SayWhereEachCameFromAndWhen) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const NodeId trained = session.model().known.nodes[0];
  const NodeId reviewed = session.model().split().test[0], included = session.model().split().validation[0];
  session.set_time(1'000'000'000);
  session.set(reviewed, 1);
  session.set_time(0);
  session.include_validation();
  for (const HeldLabel& held : held_labels(session.model())) {
    EXPECT_EQ(held.label, session.known_class(held.node));
    EXPECT_EQ(held.from, held.node == reviewed ? LabelSource::review : LabelSource::data);
    EXPECT_EQ(held.time, held.node == reviewed ? 1'000'000'000 : 0);
    if (held.node == trained) {
      EXPECT_EQ(held.batch, 0);
    }
    if (held.node == included) {
      EXPECT_EQ(held.batch, 2);
    }
  }
}

TEST(HeldLabels, ReplaceThoseOfTheDataAndTrain) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const TrainedModel& model = session.model();
  const NodeId changed = model.known.nodes[0], removed = model.known.nodes[1], added = model.split().test[0];
  EXPECT_FALSE(changes_since_training(model.data, model.known).any());
  session.set(changed, 1 - session.known_class(changed));
  session.unset(removed);
  session.set(added, 0);
  const HeldChanges changes = changes_since_training(model.data, model.known);
  EXPECT_EQ(changes.added, 1);
  EXPECT_EQ(changes.changed, 1);
  EXPECT_EQ(changes.removed, 1);
  const Dataset data = with_held_labels(model.data, model.known);
  check_labelled_split(data, "held");
  EXPECT_EQ(data.split->train, model.known.nodes);
  EXPECT_EQ(data.labels[at(changed)], session.known_class(changed));
  EXPECT_EQ(data.labels[at(removed)], kUnknown);
  EXPECT_EQ(data.labels[at(added)], 0);
  EXPECT_EQ(std::ranges::count(data.split->test, added), 0);
  EXPECT_EQ(data.split->validation, model.split().validation);
}

}  // namespace
}  // namespace heatfront
