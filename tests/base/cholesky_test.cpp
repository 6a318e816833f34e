// SPDX-License-Identifier: MIT
#include "heatfront/base/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "heatfront/base/random.h"
#include "support/precision.h"

namespace heatfront {
namespace {

// 150 rows are more than two blocks.
TEST(Cholesky, SolvesOneRightSideAndSeveral) {
  for (std::int64_t n : {1, 7, 64, 150}) {
    const Random random(static_cast<std::uint64_t>(n));
    std::vector<double> rows, a(at(n * n));  // A = R Rᵀ/n + 1
    for (std::int64_t i = 0; i < n * n; ++i) rows.push_back(random.normal(at(i)));
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        double sum = i == j ? 1 : 0;
        for (std::int64_t k = 0; k < n; ++k)
          sum += rows[at(i * n + k)] * rows[at(j * n + k)] / static_cast<double>(n);
        a[at(i * n + j)] = sum;
      }
    }
    std::vector<double> factored = a;
    ASSERT_TRUE(cholesky({factored.data(), n, n, n}));
    Matrix factor(n, n);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j <= i; ++j) factor(i, j) = static_cast<Real>(factored[at(i * n + j)]);
    for (std::int64_t columns : {1, 3}) {
      std::vector<double> b;
      for (std::int64_t i = 0; i < n * columns; ++i) b.push_back(random.part(1).normal(at(i)));
      std::vector<double> x = b;
      solve_by_factor(factor, {x.data(), n, columns, columns});
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t c = 0; c < columns; ++c) {
          double sum = 0;
          for (std::int64_t j = 0; j < n; ++j) sum += a[at(i * n + j)] * x[at(j * columns + c)];
          EXPECT_NEAR(sum, b[at(i * columns + c)], test::kDouble ? 1e-11 : 1e-4) << n << " " << i;
        }
      }
    }
  }
}

TEST(Cholesky, RefusesAMatrixThatIsNotPositive) {
  std::vector<double> a = {1, 2, 2, 1};
  EXPECT_FALSE(cholesky({a.data(), 2, 2, 2}));
}

}  // namespace
}  // namespace heatfront
