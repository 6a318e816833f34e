// SPDX-License-Identifier: MIT
#include "heatfront/nn/mixing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/random.h"

namespace heatfront {
namespace {

TEST(Mixing, IsZeroForTheIdentityAndOnes) {
  Matrix w = spread_matrix(2, 2);
  w(0, 0) = w(1, 1) = 1;
  std::vector<double> matrix(4);
  mixing(w, std::vector<Real>{1, 7}, matrix);
  EXPECT_EQ(matrix, (std::vector<double>{0, 0, 0, 0}));
  mixing(w, std::vector<Real>{Real(0.25), -3}, matrix);
  EXPECT_EQ(matrix, (std::vector<double>{-0.75, 0, 0, -1}));
}

TEST(Mixing, PullsAMatrixBackToOrthogonality) {
  constexpr std::int64_t kSize = 7;
  Matrix w = spread_matrix(kSize, kSize);
  const Random random(1);
  for (std::int64_t i = 0; i < kSize; ++i) {
    for (std::int64_t j = 0; j < kSize; ++j)
      w(i, j) = static_cast<Real>(0.1 * random.normal(static_cast<std::uint64_t>(i * kSize + j))) +
                (i == j ? 1 : 0);
  }
  const auto distance = [&] {
    double most = 0;
    for (std::int64_t i = 0; i < kSize; ++i) {
      for (std::int64_t j = 0; j < kSize; ++j) {
        double sum = i == j ? -1 : 0;
        for (std::int64_t k = 0; k < kSize; ++k)
          sum += static_cast<double>(w(k, i)) * static_cast<double>(w(k, j));
        most = std::max(most, std::abs(sum));
      }
    }
    return most;
  };
  EXPECT_GT(distance(), 0.1);
  for (int step = 0; step < 6; ++step) pull_to_orthogonal(w);
  EXPECT_LT(distance(), 1e-6);

  Matrix number = spread_matrix(1, 1);
  number(0, 0) = Real(1.2);
  pull_to_orthogonal(number);
  EXPECT_NEAR(number(0, 0), 1.5 * 1.2 - 0.5 * 1.2 * 1.2 * 1.2, 1e-6);
}

}  // namespace
}  // namespace heatfront
