// SPDX-License-Identifier: MIT
#include "heatfront_experiment/compare/paired.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace heatfront {
namespace {

// P(|T| ≤ √n·tan θ) for n degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4): with c = cos θ, s = sin θ
//
//     n odd    2/π · (θ + s·(c + 2/3·c³ + 2·4/(3·5)·c⁵ + … up to cⁿ⁻²))
//     n even   s·(1 + 1/2·c² + 1·3/(2·4)·c⁴ + … up to cⁿ⁻²)
double share_within(double theta, int n) {
  const double c = std::cos(theta), s = std::sin(theta);
  double sum = 0, term = n % 2 == 1 ? c : 1;
  for (int power = n % 2; power <= n - 2; power += 2) {
    sum += term;
    term *= c * c * (power + 1) / (power + 2);
  }
  return n % 2 == 1 ? 2 / std::numbers::pi * (theta + s * sum) : s * sum;
}

}  // namespace

double student_quantile(double confidence, int freedom) {
  assert(freedom >= 1 && confidence > 0 && confidence < 1);
  double low = 0, high = std::numbers::pi / 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (share_within(middle, freedom) < confidence ? low : high) = middle;
  }
  return std::sqrt(freedom) * std::tan((low + high) / 2);
}

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b, double confidence,
                                   double dependence) {
  assert(a.size() == b.size() && !a.empty());
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  const Spread spread = spread_of(differences);
  const auto n = static_cast<double>(a.size());
  const double half = a.size() < 2 ? std::numeric_limits<double>::infinity()
                                   : student_quantile(confidence, static_cast<int>(a.size()) - 1) *
                                         spread.deviation * std::sqrt(1 / n + dependence);
  return {.mean = spread.mean,
          .low = spread.mean - half,
          .high = spread.mean + half,
          .deviation = spread.deviation};
}

Spread spread_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Spread spread;
  for (double value : values) spread.mean += value / n;
  double squares = 0;
  for (double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.deviation = std::sqrt(squares / (n - 1));
  return spread;
}

}  // namespace heatfront
