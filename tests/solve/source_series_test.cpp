// SPDX-License-Identifier: MIT
#include "heatfront/solve/source_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "heatfront/solve/mixed_series.h"

namespace heatfront {
namespace {

// e^{tz} + ∫_0^t e^{sz} ds
double growth(double time, double z) {
  return std::exp(time * z) + (z == 0 ? time : std::expm1(time * z) / z);
}

// Σ c_k T_k(z/h + 1)
template <class Coefficient>
double sum_at(double z, double half_width, std::int64_t degree, const Coefficient& c) {
  double sum = 0;
  for (std::int64_t k = 0; k <= degree; ++k)
    sum += c(k) * std::cos(static_cast<double>(k) * std::acos(std::clamp(z / half_width + 1, -1.0, 1.0)));
  return sum;
}

TEST(SourceSeries, ErrsByLessThanItsBound) {
  for (double half_width : {0.3, 0.5, 2.0}) {
    for (double time : {0.0, 0.1, 2.0, 14.3, 300.0}) {
      for (double tolerance : {1e-3, 1e-6, 1e-12}) {
        const SourceSeries series(half_width, 2 * half_width, time, tolerance);
        EXPECT_LE(series.error_bound(), tolerance);
        double worst = 0;
        for (double z = -2 * half_width; z <= 0; z += half_width / 32) {
          const double sum = sum_at(z, half_width, series.degree(), [&](std::int64_t k) {
            return series.coefficients()[static_cast<std::size_t>(k)];
          });
          worst = std::max(worst, std::abs(sum - growth(time, z)) / (1 + time));
        }
        EXPECT_LE(worst, series.error_bound() + 1e-14) << half_width << " " << time << " " << tolerance;
      }
    }
  }
}

TEST(SourceSeries, IsExactWhereTheOperatorIsZero) {
  const SourceSeries series(0.5, 1, 12.1, 1e-3);
  double sum = 0;
  for (double c : series.coefficients()) sum += c;
  EXPECT_NEAR(sum, 13.1, 1e-13);
}

TEST(MixedSeries, ShiftsTheSeriesByTheEigenvaluesOfADiagonalMixing) {
  constexpr double kHalfWidth = 0.4, kTime = 9, kClose = sizeof(Real) == 8 ? 1e-12 : 1e-5;
  MixedSeries mixed(SourceSeries(kHalfWidth, 2 * kHalfWidth + 1, kTime, 1e-13), 3);
  const std::vector<double> shifts = {-1, -0.25, 0.01};
  mixed.set(std::vector<double>{shifts[0], 0, 0, 0, shifts[1], 0, 0, 0, shifts[2]});
  const std::int64_t degree = mixed.coefficients().values.rows() / 3 - 1;
  for (std::int64_t j = 0; j < 3; ++j) {
    for (double z = -2 * kHalfWidth; z <= 0; z += kHalfWidth / 8) {
      const double sum = sum_at(z, kHalfWidth, degree, [&](std::int64_t k) {
        return static_cast<double>(mixed.coefficients()[k](j, j));
      });
      const double expected = growth(kTime, z + shifts[static_cast<std::size_t>(j)]);
      EXPECT_NEAR(sum, expected, kClose * (1 + kTime));
    }
  }
}

}  // namespace
}  // namespace heatfront
