// SPDX-License-Identifier: MIT
#include "heatfront/solve/chebyshev_series.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "heatfront/base/fail.h"

namespace heatfront {

void require_followable(double tau) {
  if (tau <= kLongestSeries) return;
  fail(
      "the flow is too long to be followed: time × λ × half the largest eigenvalue is {:.3g}, and {:.0e} is "
      "the most; "
      "take a shorter time, or inf for the steady state",
      tau, kLongestSeries);
}

// Miller's algorithm: I_{k−1} = I_{k+1} + (2k/τ) I_k is stable downwards from a k where I_k is negligible,
// and gives the right ratios; Σ c_k = 1 gives the scale.
std::vector<double> exponential_coefficients(double tau) {
  assert(tau >= 0);
  require_followable(tau);
  constexpr double kNothing = 1e-30;  // the recurrence below would leave the range of numbers
  if (tau < kNothing) return {1};
  constexpr double kLarge = 1e200, kNegligible = 1e-22;
  const auto start =
      static_cast<std::size_t>(std::ceil(10.5 * std::sqrt(tau))) + 40;  // I_k(τ)/I_0(τ) ≈ exp(−k²/2τ)
  std::vector<double> c(start + 2);
  c[start] = 1;
  for (std::size_t k = start; k > 0; --k) {
    c[k - 1] = c[k + 1] + 2 * static_cast<double>(k) / tau * c[k];
    if (c[k - 1] > kLarge) {
      for (std::size_t j = k - 1; j <= start; ++j) c[j] /= kLarge;
    }
  }
  double sum = 0;
  for (std::size_t k = start; k > 0; --k) sum += 2 * c[k];
  sum += c[0];
  for (double& value : c) value *= 2 / sum;
  c[0] /= 2;
  while (c.size() > 1 && c.back() < kNegligible) c.pop_back();
  return c;
}

ChebyshevCut cut_series(double tau, double tolerance, bool clamped) {
  std::vector<double> c = exponential_coefficients(tau);
  double tail = 0, weighted = 0;  // r and s of the cut after K, growing as K falls
  double bound = 0;
  std::size_t degree = c.size() - 1;
  for (; degree > 0; --degree) {
    const double longer_tail = tail + c[degree];
    const double longer_weighted = weighted + longer_tail;  // every k − K grows by one
    const double next = 2 * (clamped ? std::hypot(longer_tail, longer_weighted) : longer_tail);
    if (next > tolerance) break;
    tail = longer_tail;
    weighted = longer_weighted;
    bound = next;
  }
  c.resize(degree + 1);
  c.back() += tail;
  return {std::move(c), bound};
}

}  // namespace heatfront
