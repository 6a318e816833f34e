// SPDX-License-Identifier: MIT
#include "heatfront/train/auto_fit.h"

#include <gtest/gtest.h>

#include "heatfront/base/random.h"
#include "heatfront/models/linear_front/front_setting.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

// Three groups whose edges tell them apart; ten nodes of each have a label.
Dataset groups(Threads& threads) {
  Dataset data =
      test::small_data("blocks:blocks=3,size=30,inside=0.3,across=0.01", "per-class 10,0", threads);
  std::vector<ClassId> labels(data.labels.size(), kUnknown);
  for (NodeId u : data.split->train) labels[at(u)] = data.labels[at(u)];
  data.labels = labels;
  data.split = all_labels(data);
  return data;
}

TEST(AutoFit, JudgesEveryCandidateByLabelsThatItWasNotToldAndTrainsOnAll) {
  Threads threads(2);
  const Dataset data = groups(threads);
  const AutoFit result = fit_auto(data, {}, threads);
  ASSERT_EQ(result.candidates.size(), 3U);
  EXPECT_EQ(result.candidates[0].model, kLinearFront);
  EXPECT_EQ(result.candidates[1].model, kFlowAlone);
  EXPECT_EQ(result.candidates[2].model, kHeatFront);
  const Candidate& chosen = result.candidates[result.chosen];
  EXPECT_EQ(result.fit.model.model, chosen.model);
  EXPECT_EQ(result.fit.model.known.nodes.size(), 30U);
  EXPECT_DOUBLE_EQ(chosen.accuracy, accuracy(result.fit.model.left_out, data.labels));
  EXPECT_LE(chosen.interval.low, chosen.accuracy);
  EXPECT_GE(chosen.interval.high, chosen.accuracy);
  EXPECT_NEAR(result.most_frequent, 1.0 / 3, 1e-12);
}

TEST(AutoFit, LeavesTheNetworkOutWhenItShallBeQuick) {
  Threads threads(1);
  const AutoFit result = fit_auto(groups(threads), {.quick = true}, threads);
  ASSERT_EQ(result.candidates.size(), 2U);
  EXPECT_EQ(result.candidates[result.chosen].model, kLinearFront) << "both are as good, so the first answers";
}

// README's example: both are right of all four labels, and the flow is surer.
TEST(AutoFit, IsNotChangedByBeingSurerAloneOfAHandfulOfLabels) {
  Threads threads(1);
  Dataset club = open_dataset(HEATFRONT_TEST_FILES "/../../examples/club", {}, threads);
  club.split = all_labels(club);
  const AutoFit result = fit_auto(club, {.quick = true}, threads);
  EXPECT_EQ(result.candidates[1].accuracy, 1);
  EXPECT_EQ(result.candidates[result.chosen].model, kLinearFront);
}

// Of one column of noise no front can tell three classes apart, but one of the graph alone can.
TEST(AutoFit, AnswersByTheGraphAloneWhereFeaturesSayNothing) {
  Threads threads(1);
  Dataset data = groups(threads);
  Matrix noise(data.nodes(), 1);
  for (NodeId u = 0; u < data.nodes(); ++u) noise(u, 0) = static_cast<Real>(Random(3).normal(at(u)));
  data.features = Features(noise);
  const AutoFit result = fit_auto(data, {.quick = true}, threads);
  EXPECT_GT(result.candidates[0].accuracy, 0.9);
  EXPECT_GT(result.candidates[1].accuracy, 0.9);
  ASSERT_EQ(result.fit.model.model, kLinearFront);
  EXPECT_EQ(front_settings(result.fit.model.chosen()).front().kernel.features, "identity");
}

TEST(AutoFit, TakesTheFlowWhereOneLabelPerClassLeavesNothingToJudgeBy) {
  Threads threads(1);
  Dataset data = groups(threads);
  for (std::size_t per_class : {2U, 1U}) {
    std::vector<std::size_t> left(3, per_class);
    for (ClassId& label : data.labels) {
      if (label == kUnknown) continue;
      if (left[at(label)] == 0) {
        label = kUnknown;
      } else {
        --left[at(label)];
      }
    }
    data.split = all_labels(data);
    const AutoFit result = fit_auto(data, {.quick = true}, threads);
    EXPECT_EQ(result.candidates[result.chosen].model, per_class == 1 ? kFlowAlone : kLinearFront);
  }
}

// As many labels as the graph alone is not tried with beside features: here only the flow knows.
TEST(AutoFit, LetsTheFlowAnswerWhereTheFrontsDoNotKnow) {
  Threads threads(2);
  Dataset data =
      test::small_data("blocks:blocks=8,size=140,inside=0.1,across=0.002", "percent 100,0", threads);
  Matrix noise(data.nodes(), 1);
  for (NodeId u = 0; u < data.nodes(); ++u) noise(u, 0) = static_cast<Real>(Random(3).normal(at(u)));
  data.features = Features(noise);
  data.split = all_labels(data);
  const AutoFit result = fit_auto(data, {.quick = true}, threads);
  EXPECT_EQ(result.candidates[result.chosen].model, kFlowAlone);
}

}  // namespace
}  // namespace heatfront
