// SPDX-License-Identifier: MIT
#include "heatfront/nn/dropout.h"

#include <gtest/gtest.h>

#include <vector>

namespace heatfront {
namespace {

TEST(Dropout, ListsTheUnitsWhoseFactorIsNotZero) {
  for (double share : {0.0, 0.1, 0.4, 0.75, 0.975, 0.9999}) {
    for (std::int64_t width : {1, 3, 4, 17, 256, 700}) {
      const Dropout dropout(share);
      for (std::int64_t row = 0; row < 20; ++row) {
        std::vector<Real> factors(static_cast<std::size_t>(width));
        dropout.factors(Random(9), row, factors);
        std::vector<std::int32_t> expected, units(static_cast<std::size_t>(width + 3) / 4 * 4);
        for (std::int32_t j = 0; j < width; ++j) {
          if (factors[static_cast<std::size_t>(j)] != 0) expected.push_back(j);
        }
        units.resize(static_cast<std::size_t>(dropout.kept(Random(9), row, width, units.data())));
        EXPECT_EQ(units, expected) << share << " of " << width << " in row " << row;
      }
    }
  }
}

TEST(Dropout, KeepsTheShareItSaysAndLeavesTheMeanAlone) {
  for (double share : {0.08, 0.5, 0.974861496}) {
    const Dropout dropout(share);
    EXPECT_NEAR(dropout.keep(), 1 - share, 1e-5);
    std::vector<Real> factors(1000);
    double kept = 0, sum = 0;
    for (std::int64_t row = 0; row < 1000; ++row) {
      dropout.factors(Random(4), row, factors);
      for (Real factor : factors) {
        kept += factor != 0 ? 1 : 0;
        sum += static_cast<double>(factor);
      }
    }
    const double deviation = std::sqrt((1 - share) * share / 1e6);
    EXPECT_NEAR(kept / 1e6, 1 - share, 5 * deviation);
    EXPECT_NEAR(sum / 1e6, 1, 5 * deviation / (1 - share));
  }
}

TEST(Dropout, DropsOtherUnitsInOtherRowsAndSteps) {
  const Dropout dropout(0.5);
  std::vector<Real> first(64), next_row(64), next_step(64);
  dropout.factors(Random(1), 0, first);
  dropout.factors(Random(1), 1, next_row);
  dropout.factors(Random(2), 0, next_step);
  EXPECT_NE(first, next_row);
  EXPECT_NE(first, next_step);
}

}  // namespace
}  // namespace heatfront
