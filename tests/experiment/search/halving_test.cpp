// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/halving.h"

#include <gtest/gtest.h>

#include <limits>

namespace heatfront {
namespace {

using Counts = std::vector<std::size_t>;

TEST(Halving, DoublesTheSeedsUpToAllOfThem) {
  EXPECT_EQ(rungs(1), (Counts{1}));
  EXPECT_EQ(rungs(2), (Counts{1, 2}));
  EXPECT_EQ(rungs(3), (Counts{1, 3}));
  EXPECT_EQ(rungs(5), (Counts{1, 2, 5}));
  EXPECT_EQ(rungs(8), (Counts{1, 2, 4, 8}));
  EXPECT_EQ(rungs(10), (Counts{1, 2, 4, 10}));
}

TEST(Halving, KeepsAThirdAndAtLeastThree) {
  EXPECT_EQ(goes_on(1), 1u);
  EXPECT_EQ(goes_on(2), 2u);
  EXPECT_EQ(goes_on(7), 3u);
  EXPECT_EQ(goes_on(60), 20u);
  EXPECT_EQ(goes_on(61), 21u);
  EXPECT_EQ(runs_of_halving(12, rungs(5)), 12u + 4u + 3u * 3u);
  EXPECT_EQ(runs_of_halving(12, rungs(1)), 12u);
}

TEST(Halving, RanksByAccuracyThenLossThenNumberAndFailuresLast) {
  const auto score = [](std::int64_t number, double accuracy, double loss, const char* error = "") {
    return TrialScore{.trial = {.number = number},
                      .validation_accuracy = accuracy,
                      .validation_loss = loss,
                      .error = error};
  };
  EXPECT_TRUE(better(score(1, 0.8, 9), score(0, 0.7, 1)));
  EXPECT_TRUE(better(score(1, 0.8, 1), score(0, 0.8, 2)));
  EXPECT_TRUE(better(score(1, 0.8, 1), score(0, 0.8, std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(better(score(0, 0.8, 1), score(1, 0.8, 1)));
  EXPECT_FALSE(better(score(1, 0.8, 1), score(0, 0.8, 1)));
  EXPECT_TRUE(better(score(1, 0.1, 9), score(0, 0.9, 0, "failed")));
  EXPECT_TRUE(better(score(0, 0, 0, "failed"), score(1, 0.9, 0, "failed")));
}

TEST(Halving, ScoresATrialByTheSeedsOfItsRung) {
  SearchRecord record("", {});
  const std::vector<double> accuracies = {0.5, 0.7, 0.9};
  for (std::uint32_t seed : {0u, 1u, 2u})
    record.add(
        {.trial = 4, .seed = seed, .validation_accuracy = accuracies[seed], .validation_loss = seed + 1.0});
  record.add({.trial = 5, .seed = 0, .validation_accuracy = 1});
  record.add({.trial = 5, .seed = 1, .error = "no"});
  const std::vector<std::uint32_t> seeds = {0, 1, 2};
  const TrialScore two = score_of({.number = 4}, std::span(seeds).first(2), record);
  EXPECT_NEAR(two.validation_accuracy, 0.6, 1e-12);
  EXPECT_NEAR(two.validation_deviation, std::sqrt(0.02), 1e-12);
  EXPECT_NEAR(two.validation_loss, 1.5, 1e-12);
  EXPECT_NEAR(score_of({.number = 4}, seeds, record).validation_deviation, 0.2, 1e-12);
  EXPECT_EQ(score_of({.number = 4}, std::span(seeds).first(1), record).validation_deviation, 0);
  EXPECT_EQ(score_of({.number = 5}, std::span(seeds).first(2), record).error, "no");
}

}  // namespace
}  // namespace heatfront
