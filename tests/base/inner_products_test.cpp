// SPDX-License-Identifier: MIT
#include "heatfront/base/inner_products.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/random.h"

namespace heatfront {
namespace {

constexpr std::int64_t kRows = 9001;  // three blocks, the last one odd

Matrix random_state(std::int64_t cols, std::uint64_t seed) {
  Matrix state = padded_matrix(kRows, cols);
  for (std::int64_t u = 0; u < kRows; ++u) {
    for (std::int64_t c = 0; c < cols; ++c)
      state(u, c) = static_cast<Real>(Random(seed).normal(static_cast<std::uint64_t>(u * 64 + c)));
  }
  return state;
}

std::vector<Real> random_row_factors(std::uint64_t seed) {
  std::vector<Real> factors;
  for (std::uint64_t u = 0; u < kRows; ++u)
    factors.push_back(static_cast<Real>(0.5 + Random(seed).uniform(u)));
  return factors;
}

// Σ_u m_u x_uc y_uc, slowly.
double slow_product(const std::vector<Real>& m, const Matrix& x, const Matrix& y, std::int64_t c) {
  double sum = 0;
  for (std::int64_t u = 0; u < kRows; ++u) {
    const double weight = m.empty() ? 1 : static_cast<double>(m[static_cast<std::size_t>(u)]);
    sum += weight * static_cast<double>(x(u, c)) * static_cast<double>(y(u, c));
  }
  return sum;
}

double rounding(double size) { return size * 64 * static_cast<double>(std::numeric_limits<Real>::epsilon()); }

TEST(InnerProducts, AreTheSumsOverAllRowsForEveryWidthWithAndWithoutWeights) {
  Threads threads(2);
  for (std::int64_t cols : {1, 3, 4, 7, 18}) {
    const Matrix x = random_state(cols, 1), y = random_state(cols, 2);
    for (const std::vector<Real>& m : {std::vector<Real>(), random_row_factors(3)}) {
      std::vector<double> found(static_cast<std::size_t>(cols));
      inner_products(m, x, y, found, threads);
      for (std::int64_t c = 0; c < cols; ++c)
        EXPECT_NEAR(found[static_cast<std::size_t>(c)], slow_product(m, x, y, c), 1e-9) << cols << " " << c;
    }
  }
}

TEST(InnerProducts, HaveTheSameBitsForAnyNumberOfThreadsAndForAColumnAloneOrInCompany) {
  Threads one(1), three(3);
  const Matrix x = random_state(7, 1), y = random_state(7, 2);
  const std::vector<Real> m = random_row_factors(3);
  std::vector<double> found(7), by_three(7), alone(1);
  inner_products(m, x, y, found, one);
  inner_products(m, x, y, by_three, three);
  EXPECT_EQ(found, by_three);
  for (std::int64_t c = 0; c < 7; ++c) {
    Matrix x_c = padded_matrix(kRows, 1), y_c = padded_matrix(kRows, 1);
    for (std::int64_t u = 0; u < kRows; ++u) x_c(u, 0) = x(u, c), y_c(u, 0) = y(u, c);
    inner_products(m, x_c, y_c, alone, one);
    EXPECT_EQ(alone[0], found[static_cast<std::size_t>(c)]);
  }
}

TEST(InnerProducts, OfADescentAreThoseOfTheResidualItLeaves) {
  Threads threads(2);
  const std::int64_t cols = 5;
  const Matrix p = random_state(cols, 1), q = random_state(cols, 2), x = random_state(cols, 3),
               r = random_state(cols, 4);
  const std::vector<Real> m = random_row_factors(5), diagonal = random_row_factors(6);
  const std::vector<double> along = {0.5, 0, -1.25, 2, 1e-3};
  Matrix x_after = x, r_after = r, weighted = r;
  std::vector<double> squares(cols), preconditioned(cols);
  descend({.along = along, .direction = p, .image = q, .diagonal = diagonal}, m, x_after, r_after, squares,
          preconditioned, threads);
  for (std::int64_t c = 0; c < cols; ++c) {
    const double s = along[static_cast<std::size_t>(c)];
    for (std::int64_t u = 0; u < kRows; ++u) {
      ASSERT_NEAR(x_after(u, c), x(u, c) + static_cast<Real>(s) * p(u, c), rounding(10));
      ASSERT_NEAR(r_after(u, c), r(u, c) - static_cast<Real>(s) * q(u, c), rounding(10));
      weighted(u, c) = diagonal[static_cast<std::size_t>(u)] * r_after(u, c);
    }
    EXPECT_NEAR(squares[static_cast<std::size_t>(c)], slow_product(m, r_after, r_after, c), 1e-7);
    EXPECT_NEAR(preconditioned[static_cast<std::size_t>(c)], slow_product(m, r_after, weighted, c), 1e-7);
  }
}

TEST(InnerProducts, TurningADirectionAddsThePreconditionedResidual) {
  Threads threads(2);
  const Matrix p = random_state(3, 1), r = random_state(3, 2);
  const std::vector<Real> diagonal = random_row_factors(3);
  const std::vector<double> t = {0, 0.5, -2};
  Matrix turned = p;
  turn(diagonal, r, t, turned, threads);
  for (std::int64_t u = 0; u < kRows; ++u) {
    for (std::int64_t c = 0; c < 3; ++c) {
      const Real expected = diagonal[static_cast<std::size_t>(u)] * r(u, c) +
                            static_cast<Real>(t[static_cast<std::size_t>(c)]) * p(u, c);
      ASSERT_NEAR(turned(u, c), expected, rounding(10));
    }
    ASSERT_EQ(turned.view().data[u * turned.stride() + 3], Real(0)) << "padding";
  }
}

}  // namespace
}  // namespace heatfront
