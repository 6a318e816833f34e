// SPDX-License-Identifier: MIT
#include "heatfront/base/exponential.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heatfront {
namespace {

TEST(Exponential, IsRightForEveryNumberThatIsNotPositive) {
  for (double size = 1e-30; size < 87; size *= 1.0007) {
    const auto x = static_cast<float>(-size);
    const double exact = std::exp(static_cast<double>(x)), less_one = std::expm1(static_cast<double>(x));
    EXPECT_NEAR(static_cast<double>(exp_of_negative(x)) / exact, 1, 2e-7) << x;
    EXPECT_NEAR(static_cast<double>(expm1_of_negative(x)) / less_one, 1, 2e-7) << x;
  }
}

TEST(Exponential, EndsInOneAndInZero) {
  EXPECT_EQ(exp_of_negative(0.0F), 1);
  EXPECT_EQ(expm1_of_negative(0.0F), 0);
  for (float x : {-87.5F, -1e10F, -INFINITY}) {
    EXPECT_EQ(exp_of_negative(x), 0);
    EXPECT_EQ(expm1_of_negative(x), -1);
  }
}

}  // namespace
}  // namespace heatfront
