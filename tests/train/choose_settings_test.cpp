// SPDX-License-Identifier: MIT
#include "heatfront/train/choose_settings.h"

#include <gtest/gtest.h>

#include "heatfront/evaluate/metrics.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

TEST(FewSettings, BeginWithTheDefaultsAndExistInEveryModel) {
  for (const ModelEntry& entry : models()) {
    const auto sets = few_settings(entry, {});
    ASSERT_FALSE(sets.empty()) << entry.name;
    EXPECT_TRUE(sets.front().empty());
    EXPECT_TRUE(entry.loss == kNoLoss || sets.size() > 1) << entry.name;
  }
}

TEST(FewSettings, LeaveOutWhatIsGivenAnyway) {
  const auto sets = few_settings(find_model(kHeatFront), {"time=3"});
  EXPECT_EQ(sets.size(), few_settings(find_model(kHeatFront), {}).size() -
                             2);  // time=2 and time=10 are as the defaults now
}

TEST(FitByFolds, TakesTheSettingsThatFoldsFindBestAndLooksAtNoValidationNode) {
  Threads threads(2);
  Dataset data = test::small_data("blocks:blocks=3,size=20,inside=0.2,across=0.03", "per-class 6,4", threads);
  const FitOptions options{.model = "gcn", .preset = {}, .settings = {"epochs=4"}};
  const ChosenFit chosen = fit_by_folds(data, options, threads);
  EXPECT_EQ(chosen.tried, 4);
  EXPECT_TRUE(chosen.fit.model.split().validation.empty());
  EXPECT_EQ(std::ssize(chosen.fit.model.left_out.nodes), 18);
  EXPECT_FALSE(chosen.fit.by_class.scores.empty());
  for (NodeId u : data.split->validation) data.labels[at(u)] = (data.labels[at(u)] + 1) % 3;
  EXPECT_EQ(fit_by_folds(data, options, threads).fit.training.parameters, chosen.fit.training.parameters);
}

TEST(FitByFolds, LeavesTheChoiceToModelsThatLeaveLabelsOutThemselves) {
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=20", "per-class 4,3", threads);
  const ChosenFit chosen =
      fit_by_folds(data, {.model = "linear-front", .preset = {}, .settings = {}}, threads);
  EXPECT_EQ(chosen.tried, 1);
  EXPECT_FALSE(chosen.fit.model.chosen().empty());
}

}  // namespace
}  // namespace heatfront
