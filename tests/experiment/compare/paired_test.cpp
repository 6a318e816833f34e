// SPDX-License-Identifier: MIT
#include "heatfront_experiment/compare/paired.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace heatfront {
namespace {

TEST(StudentQuantile, IsThatOfThePrintedTables) {
  EXPECT_NEAR(student_quantile(0.95, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 9), 2.262, 5e-4);
  EXPECT_NEAR(student_quantile(0.99, 10), 3.169, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 100), 1.984, 5e-4);
}

TEST(PairedDifference, IsAsByHand) {
  const std::vector<double> a = {5, 7, 9}, b = {4, 5, 6};  // differences 1, 2, 3: mean 2, deviation 1
  const PairedDifference difference = paired_difference(a, b, 0.95);
  EXPECT_NEAR(difference.mean, 2, 1e-12);
  EXPECT_NEAR(difference.deviation, 1, 1e-12);
  EXPECT_NEAR(difference.low, 2 - 4.3027 / std::sqrt(3), 1e-3);
  EXPECT_NEAR(difference.high, 2 + 4.3027 / std::sqrt(3), 1e-3);
  EXPECT_FALSE(difference.tells());
  EXPECT_NEAR(paired_difference(a, b, 0.95, 0.5).high, 2 + 4.3027 * std::sqrt(1.0 / 3 + 0.5), 1e-3);
}

TEST(PairedDifference, HoldsTheTruthAsOftenAsItSays) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  int held = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> a, b;
    for (int i = 0; i < 6; ++i) {
      const double shared = 10 * normal(generator);  // what a split does to both
      a.push_back(shared + 0.3 + normal(generator));
      b.push_back(shared + normal(generator));
    }
    const PairedDifference difference = paired_difference(a, b, 0.9);
    held += difference.low <= 0.3 && 0.3 <= difference.high;
  }
  EXPECT_NEAR(held / 4000.0, 0.9, 0.015);
}

TEST(PairedDifference, TellsNothingByOneRun) {
  EXPECT_FALSE(paired_difference(std::vector<double>{2}, std::vector<double>{1}, 0.95).tells());
}

}  // namespace
}  // namespace heatfront
