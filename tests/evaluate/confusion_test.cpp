// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/confusion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "heatfront/evaluate/metrics.h"

namespace heatfront {
namespace {

// Class 2 is never given, class 3 occurs nowhere.
const std::vector<ClassId> kLabels = {0, 0, 0, 1, 1, 2};
const std::vector<ClassId> kGiven = {0, 0, 1, 1, 0, 1};

TEST(Confusion, CountsNodesByLabelAndClassGiven) {
  const Confusion counts = confusion(kGiven, kLabels, 4);
  EXPECT_EQ(counts.counts, (std::vector<std::int64_t>{2, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(Confusion, GivesPrecisionRecallAndF1ByHand) {
  const std::vector<ClassScore> scores = class_scores(confusion(kGiven, kLabels, 4));
  EXPECT_DOUBLE_EQ(scores[0].precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores[0].recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores[1].precision, 1.0 / 3);
  EXPECT_DOUBLE_EQ(scores[1].recall, 1.0 / 2);
  EXPECT_DOUBLE_EQ(scores[1].f1, 2.0 / 5);
  EXPECT_TRUE(std::isnan(scores[2].precision));
  EXPECT_EQ(scores[2].f1, 0);
  EXPECT_TRUE(std::isnan(scores[3].f1));
}

TEST(Confusion, LeavesAClassThatOccursNowhereOutOfMacroF1) {
  EXPECT_DOUBLE_EQ(macro_f1(class_scores(confusion(kGiven, kLabels, 4))), (2.0 / 3 + 2.0 / 5 + 0) / 3);
  EXPECT_TRUE(std::isnan(macro_f1(class_scores(confusion({}, {}, 2)))));
}

TEST(Confusion, NamesTheMostFrequentMistakesFirst) {
  const std::vector<ClassId> labels = {0, 0, 1, 1, 1}, given = {1, 0, 0, 0, 1};
  const std::vector<Mistake> all = mistakes(confusion(given, labels, 2));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].label, 1);
  EXPECT_EQ(all[0].given, 0);
  EXPECT_EQ(all[0].nodes, 2);
  EXPECT_EQ(all[1].nodes, 1);
}

TEST(ShareInterval, OfLabelsThatWereLeftOutIsThatOfTwoThirdsOfThem) {
  EXPECT_NEAR(left_out_interval(0.81, 150).low, share_interval(0.81, 100).low, 1e-12);
  EXPECT_NEAR(left_out_interval(0.81, 150).high, share_interval(0.81, 100).high, 1e-12);
  EXPECT_TRUE(std::isnan(left_out_interval(std::nan(""), 0).low));
}

TEST(ShareInterval, IsWilsons) {
  EXPECT_NEAR(share_interval(0.81, 100).low, 0.7222, 1e-4);
  EXPECT_NEAR(share_interval(0.81, 100).high, 0.8749, 1e-4);
  EXPECT_NEAR(share_interval(1, 10).low, 0.7225, 1e-4);
  EXPECT_NEAR(share_interval(1, 10).high, 1, 1e-12);
  EXPECT_NEAR(share_interval(0, 10).low, 0, 1e-12);
  EXPECT_TRUE(std::isnan(share_interval(std::nan(""), 0).low));
}

}  // namespace
}  // namespace heatfront
