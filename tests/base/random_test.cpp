// SPDX-License-Identifier: MIT
#include "heatfront/base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace heatfront {
namespace {

TEST(Random, IsAFunctionOfSeedAndIndex) {
  EXPECT_EQ(Random(7).bits(123), Random(7).bits(123));
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (std::uint64_t i = 0; i < 100; ++i) seen.insert(Random(seed).bits(i));
  }
  EXPECT_EQ(seen.size(), 10000u);
}

TEST(Random, UniformNumbersFillTheUnitIntervalEvenly) {
  const Random random(1);
  std::vector<int> counts(10);
  for (std::uint64_t i = 0; i < 100000; ++i) ++counts[static_cast<std::size_t>(random.uniform(i) * 10)];
  for (int count : counts) EXPECT_NEAR(count, 10000, 400);  // four deviations
}

TEST(Random, BelowStaysBelowAndReachesEveryValue) {
  const Random random(2);
  std::vector<int> counts(7);
  for (std::uint64_t i = 0; i < 70000; ++i) ++counts[random.below(7, i)];
  for (int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(Random, NormalNumbersHaveMeanZeroAndVarianceOne) {
  const Random random(3);
  double sum = 0, squares = 0;
  constexpr int kCount = 100000;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double x = random.normal(i);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.015);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
}

}  // namespace
}  // namespace heatfront
