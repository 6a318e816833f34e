// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/conformal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/error_text.h"
#include "support/random_shares.h"

namespace heatfront {
namespace {

// Two classes; the share of the label is as given.
JudgedShares labelled_with(const std::vector<double>& shares) {
  JudgedShares judged{.classes = 2};
  for (double share : shares) {
    judged.shares.insert(judged.shares.end(), {share, 1 - share});
    judged.labels.push_back(0);
    judged.given.push_back(share >= 0.5 ? 0 : 1);
  }
  return judged;
}

TEST(Conformal, TakesTheScoreOfTheRightRankAsThreshold) {
  // ⌈5 · 0.8⌉ = 4: the largest of the scores 0.1, 0.2, 0.5, 0.7.
  const ConformalSets sets =
      conformal_sets(labelled_with({0.9, 0.3, 0.8, 0.5}), 0.8, find_conformal_score("lac"));
  EXPECT_NEAR(sets.threshold, 0.7, 1e-12);
  EXPECT_EQ(sets.calibrated_on, 4);
  // ⌈5 · 0.6⌉ = 3.
  EXPECT_NEAR(conformal_sets(labelled_with({0.9, 0.3, 0.8, 0.5}), 0.6, find_conformal_score("lac")).threshold,
              0.5, 1e-12);
}

TEST(Conformal, SetsHoldWhatIsWithinTheThresholdLikeliestFirst) {
  ConformalSets sets{.score = &find_conformal_score("lac"), .level = 0.9, .threshold = 0.75};
  EXPECT_EQ(sets.set_of(std::vector<double>{0.25, 0.05, 0.7}), (std::vector<ClassId>{2, 0}));
  sets = {.score = &find_conformal_score("aps"), .level = 0.9, .threshold = 0.9};
  EXPECT_EQ(sets.set_of(std::vector<double>{0.25, 0.05, 0.7}), (std::vector<ClassId>{2, 0}));
  EXPECT_EQ(sets.set_of(std::vector<double>{0.1, 0.7, 0.15, 0.05}), (std::vector<ClassId>{1, 2, 0}));
}

TEST(Conformal, SetsAreNeverEmpty) {
  for (const ConformalScore& score : conformal_scores()) {
    const ConformalSets sets{.score = &score, .level = 0.9, .threshold = 0};
    EXPECT_EQ(sets.set_of(std::vector<double>{0.4, 0.6}), std::vector<ClassId>{1}) << score.name;
  }
}

TEST(Conformal, FewNodesPromiseNothingLessThanAllClasses) {
  EXPECT_EQ(nodes_needed(0.9), 9);
  EXPECT_EQ(nodes_needed(0.95), 19);
  EXPECT_EQ(nodes_needed(0.5), 1);
  for (const ConformalScore& score : conformal_scores()) {
    const std::vector<double> sure(9, 0.99);
    EXPECT_EQ(
        conformal_sets(labelled_with(sure), 0.9, score).set_of(std::vector<double>{0.999, 0.001}).size(), 1u);
    const std::vector<double> fewer(8, 0.99);
    for (const JudgedShares& few : {labelled_with(fewer), labelled_with({})})
      EXPECT_EQ(conformal_sets(few, 0.9, score).set_of(std::vector<double>{0.999, 0.001}).size(), 2u);
  }
}

// Over many ways to part the same nodes into those that calibrate and those that are judged, the mean
// coverage is between the level and 1/(n + 1) above it, whether shares are honest or not. Its noise here is
// 0.002.
TEST(Conformal, SetsCoverAsOftenAsAskedOverRandomSplits) {
  constexpr std::size_t kNodes = 300, kCalibrate = 99;
  constexpr int kSplits = 250;
  for (const ConformalScore& score : conformal_scores()) {
    for (double softening : {1.0, 5.0}) {
      const JudgedShares all = test::random_shares(11, kNodes, 5, softening);
      double coverage = 0;
      for (std::uint64_t split = 0; split < kSplits; ++split) {
        const Random random(split);
        std::vector<std::size_t> order(kNodes);
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = kNodes - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1, i)]);
        const std::span nodes(order);
        const ConformalSets sets = conformal_sets(test::rows_of(all, nodes.first(kCalibrate)), 0.9, score);
        for (std::size_t i : nodes.subspan(kCalibrate))
          coverage += static_cast<double>(std::ranges::count(sets.set_of(all.row(i)), all.labels[i]));
      }
      coverage /= kSplits * (kNodes - kCalibrate);
      EXPECT_GT(coverage, 0.9 - 0.008) << score.name << " at " << softening;
      EXPECT_LT(coverage, 0.91 + 0.008) << score.name << " at " << softening;
    }
  }
}

TEST(Conformal, RefusesLevelsAndScoresThatThereAreNot) {
  for (double level : {0.0, 1.0, -0.1, 90.0, std::nan("")}) {
    EXPECT_TRUE(test::error_text([&] {
                  conformal_sets({.classes = 2}, level, conformal_scores()[0]);
                }).ends_with("it must be between 0 and 1, as 0.9"))
        << level;
  }
  EXPECT_EQ(test::error_text([] { find_conformal_score("raps"); }),
            "unknown score 'raps' (did you mean 'aps'?); choose from: lac, aps");
}

}  // namespace
}  // namespace heatfront
