// SPDX-License-Identifier: MIT
#include "heatfront/base/exponential.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heatfront {
namespace {

float exponential(float x) {
  exponentiate(x);
  return x;
}

float less_one(float x) {
  exponentiate_less_one(x);
  return x;
}

TEST(Exponential, IsRightForEveryNumberThatIsNotPositive) {
  for (double size = 1e-30; size < 87; size *= 1.0007) {
    const auto x = static_cast<float>(-size);
    const auto exact = static_cast<double>(x);
    EXPECT_NEAR(static_cast<double>(exponential(x)) / std::exp(exact), 1, 2e-7) << x;
    EXPECT_NEAR(static_cast<double>(less_one(x)) / std::expm1(exact), 1, 2e-7) << x;
  }
}

TEST(Exponential, EndsInOneAndInZero) {
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(less_one(0), 0);
  for (float x : {-87.5F, -1e10F, -INFINITY}) {
    EXPECT_EQ(exponential(x), 0);
    EXPECT_EQ(less_one(x), -1);
  }
}

TEST(Exponential, GivesVectorsTheSameBitsAsNumbers) {
  for (int first = 0; first < 1000; first += 8) {
    Vector8 whole, part;
    Real one[8], other[8];
    for (int i = 0; i < 8; ++i) one[i] = other[i] = static_cast<Real>(-0.1 * (first + i));
    load(one, whole);
    load(one, part);
    exponentiate(whole);
    exponentiate_less_one(part);
    for (int i = 0; i < 8; ++i) {
      exponentiate(one[i]);
      exponentiate_less_one(other[i]);
      EXPECT_EQ(whole[i], one[i]);
      EXPECT_EQ(part[i], other[i]);
    }
  }
}

double fine(double x) {
  exponentiate_finely(x);
  return x;
}

TEST(Exponential, IsRightToTheLastDigitsWhereItIsFine) {
  for (double size = 1e-30; size < 708; size *= 1.0007)
    EXPECT_NEAR(fine(-size) / std::exp(-size), 1, 4e-16) << -size;
  EXPECT_EQ(fine(0), 1);
  for (double x : {-708.5, -1e10, -1e300, -static_cast<double>(INFINITY)}) EXPECT_EQ(fine(x), 0);
}

TEST(Exponential, GivesFineVectorsTheSameBitsAsNumbers) {
  using Doubles8 [[gnu::vector_size(8 * sizeof(double))]] = double;
  for (int first = 0; first < 8000; first += 8) {
    Doubles8 whole;
    for (int i = 0; i < 8; ++i) whole[i] = -0.1 * (first + i);
    exponentiate_finely(whole);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(whole[i], fine(-0.1 * (first + i)));
  }
}

}  // namespace
}  // namespace heatfront
