// SPDX-License-Identifier: MIT
#include "heatfront_report/drawing/axis.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heatfront {
namespace {

TEST(Axis, HasTicksAtPowersOfTenOnALogarithmicScale) {
  const std::vector<double> found = logarithmic_ticks({-1, 1});
  ASSERT_EQ(found.size(), 7u);
  EXPECT_NEAR(std::pow(10, found[1]), 0.2, 1e-12);
}

TEST(Axis, HasTicksOnALogarithmicScaleHoweverNarrow) {
  for (const Range& range : {Range{std::log10(0.208), std::log10(0.211)}, Range{std::log10(3), std::log10(4)},
                             Range{std::log10(0.9), std::log10(1.1)}}) {
    const std::vector<double> found = logarithmic_ticks(range);
    EXPECT_GE(found.size(), 2u) << range.low;
    for (double x : found) EXPECT_TRUE(x >= range.low - 1e-9 && x <= range.high + 1e-9) << x;
  }
  EXPECT_LE(logarithmic_ticks({0.3, 0.3}).size(), 1u);
}

}  // namespace
}  // namespace heatfront
