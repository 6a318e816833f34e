// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/random_shares.h"

namespace heatfront {
namespace {

TEST(Calibration, IsAsComputedByHand) {
  // Two bins: {0.4 wrong} and {0.8 right, 1.0 wrong, 0.6 right}.
  const JudgedShares judged{.classes = 3,
                            .shares = {0.4, 0.3, 0.3, 0.8, 0.2, 0, 0, 1, 0, 0.2, 0.2, 0.6},
                            .labels = {1, 0, 2, 2},
                            .given = {0, 0, 1, 2}};
  const Calibration result = calibration(judged, 2);
  ASSERT_EQ(result.bins.size(), 2u);
  EXPECT_EQ(result.bins[0].nodes, 1);
  EXPECT_EQ(result.bins[1].nodes, 3);
  EXPECT_DOUBLE_EQ(result.bins[0].accuracy, 0);
  EXPECT_NEAR(result.bins[1].accuracy, 2.0 / 3, 1e-12);
  EXPECT_NEAR(result.bins[1].confidence, 0.8, 1e-12);
  EXPECT_NEAR(result.confidence, 0.7, 1e-12);
  EXPECT_NEAR(result.ece, 0.25 * 0.4 + 0.75 * (0.8 - 2.0 / 3), 1e-12);
  EXPECT_NEAR(result.ece_by_chance,
              (std::sqrt(2 / std::numbers::pi * 0.24) + std::sqrt(2 / std::numbers::pi * 0.4)) / 4, 1e-12);
  EXPECT_NEAR(result.brier, ((0.16 + 0.49 + 0.09) + (0.04 + 0.04) + 2 + (0.04 + 0.04 + 0.16)) / 4, 1e-12);
}

TEST(Calibration, PutsAConfidenceOnABorderIntoTheLowerBin) {
  const JudgedShares judged{.classes = 2, .shares = {0.5, 0.5, 1, 0}, .labels = {0, 0}, .given = {0, 0}};
  const Calibration result = calibration(judged, 2);
  EXPECT_EQ(result.bins[0].nodes, 1);
  EXPECT_EQ(result.bins[1].nodes, 1);
}

TEST(Calibration, OfNoNodesIsNaN) {
  const Calibration result = calibration({.classes = 2});
  EXPECT_TRUE(std::isnan(result.ece));
  EXPECT_TRUE(std::isnan(result.brier));
  EXPECT_TRUE(std::isnan(fitted_softening({.classes = 2})));
}

TEST(Calibration, OfHonestSharesHasTheErrorOfChance) {
  double ece = 0, by_chance = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Calibration result = calibration(test::random_shares(seed, 500, 4, 1));
    ece += result.ece / 40;
    by_chance += result.ece_by_chance / 40;
  }
  EXPECT_NEAR(ece, by_chance, 0.1 * by_chance);
  EXPECT_GT(calibration(test::random_shares(0, 500, 4, 4)).ece, 5 * by_chance);
}

TEST(Temperature, ScalesSharesAsItScalesLogits) {
  std::vector<double> shares = {std::exp(1) / (std::exp(1) + 1), 1 / (std::exp(1) + 1)};
  scale_shares(0.5, shares);
  EXPECT_NEAR(shares[0], std::exp(2) / (std::exp(2) + 1), 1e-12);
  EXPECT_NEAR(shares[0] + shares[1], 1, 1e-12);
  std::vector<double> with_zero = {0.75, 0.25, 0};
  scale_shares(0.5, with_zero);
  EXPECT_NEAR(with_zero[0], 0.9, 1e-12);
  EXPECT_EQ(with_zero[2], 0);
}

TEST(Temperature, IsFoundThatTheSharesWereTakenAwayFromTruthBy) {
  for (double softening : {0.3, 1.0, 5.0}) {
    const double found = fitted_softening(test::random_shares(7, 4000, 5, softening));
    EXPECT_NEAR(found * softening, 1, 0.06) << softening;
  }
}

TEST(Temperature, IsWhereTheLabelsAreLikeliest) {
  const JudgedShares judged = test::random_shares(3, 200, 3, 2);
  const auto loss = [&](double softening) {
    double sum = 0;
    for (std::size_t i = 0; i < judged.nodes(); ++i) {
      std::vector<double> shares(judged.row(i).begin(), judged.row(i).end());
      scale_shares(softening, shares);
      sum -= std::log(shares[at(judged.labels[i])]);
    }
    return sum;
  };
  const double found = fitted_softening(judged);
  EXPECT_LT(loss(found), loss(found * 1.01));
  EXPECT_LT(loss(found), loss(found / 1.01));
}

TEST(Temperature, EndsAtItsRangeWhereNothingBoundsIt) {
  const JudgedShares all_right{.classes = 2, .shares = {0.6, 0.4}, .labels = {0}, .given = {0}};
  const JudgedShares all_wrong{.classes = 2, .shares = {0.6, 0.4}, .labels = {1}, .given = {0}};
  EXPECT_EQ(fitted_softening(all_right), kLeastSoftening);
  EXPECT_EQ(fitted_softening(all_wrong), kMostSoftening);
}

TEST(Temperature, IsNotMovedByALabelThatHasNoShare) {
  JudgedShares judged = test::random_shares(5, 100, 3, 2);
  const double before = fitted_softening(judged);
  judged.shares.insert(judged.shares.end(), {0.5, 0.5, 0});
  judged.labels.push_back(2);
  judged.given.push_back(0);
  EXPECT_EQ(fitted_softening(judged), before);
}

// Of twenty nodes each, as sure as `confidence` and so many of them right.
JudgedShares equally_sure(double confidence, int right) {
  JudgedShares judged{.classes = 2};
  for (int i = 0; i < 20; ++i) {
    judged.shares.insert(judged.shares.end(), {confidence, 1 - confidence});
    judged.labels.push_back(i < right ? 0 : 1);
    judged.given.push_back(0);
  }
  return judged;
}

TEST(Temperature, IsUsedOnlyWhereItGainsMoreThanFittingDoes) {
  EXPECT_EQ(usable_softening(equally_sure(0.9, 17)), 1);  // it could be 0.9 of them
  EXPECT_GT(usable_softening(equally_sure(0.99, 12)), 2);
  EXPECT_LT(usable_softening(equally_sure(0.6, 19)), 0.5);
}

}  // namespace
}  // namespace heatfront
