// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/base/random.h"
#include "heatfront/evaluate/confusion.h"

namespace heatfront {
namespace {

TEST(MacroF1, IsAsByHand) {
  Matrix logits(5, 2);
  const std::vector<ClassId> labels = {0, 0, 0, 1, 1}, given = {0, 0, 1, 1, 0};
  for (std::int64_t u = 0; u < 5; ++u) logits(u, given[at(u)]) = 1;
  // class 0: 2 right, 3 of it, 3 given; class 1: 1 right, 2 of it, 2 given
  EXPECT_DOUBLE_EQ(macro_f1(logits, labels, std::vector<NodeId>{0, 1, 2, 3, 4}), (4.0 / 6 + 2.0 / 4) / 2);
  EXPECT_TRUE(std::isnan(macro_f1(logits, labels, std::vector<NodeId>{})));
}

TEST(Uneven, AreClassesOfWhichOneHasMostLabelsOrTenTimesThoseOfAnother) {
  const auto labels = [](std::vector<std::size_t> counts) {
    std::vector<ClassId> result;
    for (std::size_t c = 0; c < counts.size(); ++c)
      result.insert(result.end(), counts[c], static_cast<ClassId>(c));
    return result;
  };
  EXPECT_FALSE(is_uneven(labels({7, 3}), 2));
  EXPECT_TRUE(is_uneven(labels({8, 3}), 2));
  EXPECT_FALSE(is_uneven(labels({20, 20, 2}), 3));
  EXPECT_TRUE(is_uneven(labels({21, 20, 2}), 3));
  EXPECT_FALSE(is_uneven(labels({5, 5, 0}), 3));  // of a class without labels nothing is known
  EXPECT_FALSE(is_uneven(labels({5}), 1));
}

TEST(ClassReport, SetsTheMostFrequentKnownClassBeside) {
  const std::vector<ClassId> known = {1, 1, 0}, labels = {0, 0, 1, 1, 1}, given = {0, 1, 1, 1, 0};
  const ClassReport report = class_report(given, labels, known, 2);
  EXPECT_EQ(report.most_frequent, 1);
  EXPECT_DOUBLE_EQ(report.always, 3.0 / 5);
  EXPECT_DOUBLE_EQ(report.scores[1].recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(report.scores[0].precision, 1.0 / 2);
  EXPECT_FALSE(report.uneven);
}

TEST(PrecisionRecall, CountsWhatTheHighestScoresFind) {
  const std::vector<double> scores = {0.9, 0.2, 0.8, 0.8, 0.1};
  const std::vector<ClassId> labels = {1, 0, 0, 1, 1};
  const std::vector<PrecisionRecall> curve = precision_recall(scores, labels, 1);
  ASSERT_EQ(curve.size(), 4u);  // 0.8 once
  EXPECT_EQ(curve[0].nodes, 1);
  EXPECT_DOUBLE_EQ(curve[0].precision, 1);
  EXPECT_DOUBLE_EQ(curve[0].recall, 1.0 / 3);
  EXPECT_EQ(curve[1].nodes, 3);
  EXPECT_DOUBLE_EQ(curve[1].precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(curve[3].recall, 1);
  EXPECT_DOUBLE_EQ(average_precision(curve), 1.0 / 3 * 1 + 1.0 / 3 * 2 / 3 + 1.0 / 3 * 3 / 5);
}

TEST(PrecisionRecall, IsPerfectWhereTheClassComesFirstAndNothingWhereItIsNotThere) {
  const std::vector<double> scores = {3, 2, 1};
  EXPECT_DOUBLE_EQ(average_precision(precision_recall(scores, std::vector<ClassId>{1, 1, 0}, 1)), 1);
  EXPECT_TRUE(std::isnan(average_precision(precision_recall(scores, std::vector<ClassId>{0, 0, 0}, 1))));
  EXPECT_TRUE(std::isnan(average_precision({})));
}

TEST(PrecisionRecall, AgreesWithCountingEveryThresholdAnew) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Random random(seed);
    std::vector<double> scores;
    std::vector<ClassId> labels;
    for (std::uint64_t i = 0; i < 40; ++i) {
      scores.push_back(std::floor(8 * random.uniform(2 * i)));
      labels.push_back(random.uniform(2 * i + 1) < 0.3 ? 1 : 0);
    }
    for (const PrecisionRecall& point : precision_recall(scores, labels, 1)) {
      double found = 0, listed = 0, all = 0;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        all += labels[i] == 1;
        listed += scores[i] >= point.score;
        found += scores[i] >= point.score && labels[i] == 1;
      }
      EXPECT_DOUBLE_EQ(point.precision, found / listed);
      if (all > 0) {
        EXPECT_DOUBLE_EQ(point.recall, found / all);
      }
    }
  }
}

}  // namespace
}  // namespace heatfront
