// SPDX-License-Identifier: MIT
#include "heatfront/solve/chebyshev_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "heatfront/base/error.h"

namespace heatfront {
namespace {

// Σ c_k T_k(x), T_k(cos θ) = cos kθ.
double series(const std::vector<double>& c, double x) {
  double sum = 0;
  for (std::size_t k = 0; k < c.size(); ++k) sum += c[k] * std::cos(static_cast<double>(k) * std::acos(x));
  return sum;
}

TEST(ExponentialCoefficients, AreTheBesselFunctionsOfTheLibrary) {
  for (double tau : {0.3, 1.0, 5.0, 30.0}) {
    const auto c = exponential_coefficients(tau);
    for (std::size_t k = 0; k < c.size() && c[k] > 1e-15; ++k) {
      const double expected =
          (k == 0 ? 1 : 2) * std::exp(-tau) * std::cyl_bessel_i(static_cast<double>(k), tau);
      EXPECT_NEAR(c[k], expected, 1e-13 * expected + 1e-16) << tau << " " << k;
    }
  }
}

TEST(ExponentialCoefficients, GiveTheExponentialForAnyTime) {
  for (double tau : {0.0, 1e-3, 1e-1, 1.0, 10.0, 1e3, 1e5}) {
    const auto c = exponential_coefficients(tau);
    EXPECT_NEAR(std::accumulate(c.begin(), c.end(), 0.0), 1, 1e-13) << tau;
    for (double x : {-1.0, -0.3, 0.5, 0.9, 0.999, 1.0})
      EXPECT_NEAR(series(c, x), std::exp(tau * (x - 1)), 1e-11) << tau;
  }
}

TEST(ExponentialCoefficients, GoAsFarAsTheyMayAndRefuseTheRest) {
  const auto c = exponential_coefficients(kLongestSeries);
  EXPECT_NEAR(std::accumulate(c.begin(), c.end(), 0.0), 1, 1e-12);
  for (double x : {0.9, 1 - 3e-8, 1 - 1e-8, 1.0})
    EXPECT_NEAR(series(c, x), std::exp(kLongestSeries * (x - 1)), 1e-8) << x;
  for (double tau : {1.01 * kLongestSeries, 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(exponential_coefficients(tau), Error) << tau;
}

TEST(CutSeries, StaysWithinItsBoundAndKeepsTheSum) {
  for (double tau : {0.01, 0.7, 5.0, 50.0, 2000.0}) {
    for (double tolerance : {1e-2, 1e-6, 1e-10}) {
      for (bool clamped : {false, true}) {
        const ChebyshevCut cut = cut_series(tau, tolerance, clamped);
        EXPECT_LE(cut.error_bound, tolerance);
        EXPECT_NEAR(std::accumulate(cut.coefficients.begin(), cut.coefficients.end(), 0.0), 1, 1e-13);
        double worst = 0;
        for (double x = -1; x < 1; x += 1e-3) {
          const double error = std::abs(series(cut.coefficients, x) - std::exp(tau * (x - 1)));
          // What a boundary can see of it: √2 |e| / √(1 − x).
          worst = std::max(worst, clamped ? error * std::sqrt(2 / (1 - x)) : error);
        }
        EXPECT_LE(worst, cut.error_bound + 1e-13) << tau << " " << tolerance;
        if (cut.error_bound > 1e-12) {
          EXPECT_GE(worst, cut.error_bound / 10) << tau << " " << tolerance;
        }
      }
    }
  }
}

TEST(CutSeries, NeedsFewProductsAtThePapersTimes) {
  EXPECT_LE(cut_series(5, 1e-6, true).degree(), 13);
  EXPECT_LE(cut_series(50, 1e-10, true).degree(), 50);
  EXPECT_EQ(cut_series(0, 1e-6, true).degree(), 0);
}

}  // namespace
}  // namespace heatfront
