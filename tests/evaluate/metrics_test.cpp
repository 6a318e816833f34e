// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Ranking, CountsWhatIsWantedAmongTheFirst) {
  const std::vector<double> shares = {0.1, 0.9, 0.4, 0.4, 0.8};
  const std::vector<bool> wanted = {true, true, false, true, false};  // ranked: 1, 4, 2, 3, 0
  EXPECT_DOUBLE_EQ(precision_of_first(shares, wanted, 1), 1);
  EXPECT_DOUBLE_EQ(precision_of_first(shares, wanted, 4), 2.0 / 4);
  EXPECT_DOUBLE_EQ(precision_of_first(shares, wanted, 100), 3.0 / 5);
  EXPECT_DOUBLE_EQ(average_precision(shares, wanted), (1.0 + 2.0 / 4 + 3.0 / 5) / 3);
  EXPECT_TRUE(std::isnan(average_precision(shares, std::vector<bool>(5))));
  EXPECT_TRUE(std::isnan(precision_of_first({}, {}, 3)));
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

}  // namespace
}  // namespace heatfront
