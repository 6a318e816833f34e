// SPDX-License-Identifier: MIT
#include "heatfront/models/consistency.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "heatfront/base/random.h"
#include "support/gradient_check.h"

namespace heatfront {
namespace {

Matrix normal_logits(std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  Matrix logits(rows, cols);
  for (std::int64_t u = 0; u < rows; ++u) {
    for (std::int64_t c = 0; c < cols; ++c)
      logits(u, c) = static_cast<Real>(2 * Random(seed).normal(static_cast<std::uint64_t>(u * cols + c)));
  }
  return logits;
}

TEST(Consistency, DrawsSharesToTheirSharpenedMean) {
  Threads threads(1);
  Matrix one(1, 2), other(1, 2), targets(1, 2), d_one(1, 2);
  one(0, 1) = static_cast<Real>(std::log(4.0));        // 0.2, 0.8
  other(0, 1) = static_cast<Real>(std::log(7.0 / 3));  // 0.3, 0.7
  const std::array<ConstMatrixView, 2> samples = {one, other};
  sharpened_mean(samples, 0.5, targets, threads);  // 0.25², 0.75²
  EXPECT_NEAR(static_cast<double>(targets(0, 0)), 0.1, 1e-6);
  EXPECT_NEAR(static_cast<double>(targets(0, 1)), 0.9, 1e-6);
  EXPECT_NEAR(consistency(one, targets, 3, d_one, threads), 3 * (0.01 + 0.01), 1e-6);
  // g = (0.1, −0.1), ⟨p, g⟩ = −0.06, 2 · 3 · 0.2 · (0.1 + 0.06)
  EXPECT_NEAR(static_cast<double>(d_one(0, 0)), 0.192, 1e-6);
  EXPECT_NEAR(static_cast<double>(d_one(0, 1)), -0.192, 1e-6);
}

TEST(Consistency, IsNothingAmongEqualSamplesThatAreNotSharpened) {
  Threads threads(1);
  const Matrix logits = normal_logits(20, 4, 1);
  Matrix targets(20, 4), gradient(20, 4);
  const std::array<ConstMatrixView, 3> samples = {logits, logits, logits};
  sharpened_mean(samples, 1, targets, threads);
  EXPECT_NEAR(consistency(logits, targets, 1, gradient, threads), 0, 1e-10);
  for (Real x : test::numbers(gradient)) EXPECT_NEAR(static_cast<double>(x), 0, 1e-6);
}

TEST(Consistency, AddsItsExactGradient) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Threads threads(1);
  Matrix logits = normal_logits(9, 5, 1), targets(9, 5), gradient(9, 5), ignored(9, 5);
  const Matrix other = normal_logits(9, 5, 2);
  const std::array<ConstMatrixView, 2> samples = {logits, other};
  sharpened_mean(samples, 0.5, targets, threads);
  consistency(logits, targets, 0.7, gradient, threads);
  test::expect_gradient(
      test::numbers(logits), test::numbers(gradient),
      [&] { return consistency(logits, targets, 0.7, ignored, threads); }, 1e-8);
}

}  // namespace
}  // namespace heatfront
