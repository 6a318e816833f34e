// SPDX-License-Identifier: MIT
// The series of the exponential in Chebyshev polynomials, on an interval that ends at 0:
//
//     exp(τ(x − 1)) = Σ_k c_k T_k(x)  for x in [−1, 1],   c_0 = e^−τ I_0(τ),  c_k = 2 e^−τ I_k(τ),   Σ c_k = 1
//
// cut after degree K, with the tail Σ_{k>K} c_k added to c_K, so that constants and clamped rows stay exactly
// as they are. With A = h(X − 1), τ = h t and e the error of the cut series, for a symmetric A with spectrum
// in [−2h, 0]:
//
//     free:     ‖e(A)‖ ≤ max |Σ_{k>K} c_k (T_k − T_K)| ≤ 2 Σ_{k>K} c_k =: 2 r
//     clamped:  the boundary enters through (e(z) − e(0))/z times the block A_fc that couples free to
//               clamped rows. Since A is semi-definite, ‖|A_ff|^−½ A_fc‖² ≤ 2h, and
//               √(2h) |e(z)|/√|z| ≤ 2 Σ_{k>K} (k − K) c_k =: 2 s. Together ‖error‖ ≤ 2 √(r² + s²) ‖start‖.
#pragma once

#include <cstdint>
#include <vector>

namespace heatfront {

inline constexpr double kLongestSeries = 1e8;  // τ: some 10⁵ products
void require_followable(double tau);           // a longer one is an Error

// c_0, c_1, … until they no longer count in double precision.
std::vector<double> exponential_coefficients(double tau);

struct ChebyshevCut {
  std::vector<double> coefficients;  // c_0 … c_K
  double error_bound = 0;            // of exact arithmetic, relative to the norm of the start

  std::int64_t degree() const { return static_cast<std::int64_t>(coefficients.size()) - 1; }
};

// The shortest cut whose bound is at most `tolerance` (or the longest that makes sense).
ChebyshevCut cut_series(double tau, double tolerance, bool clamped);

}  // namespace heatfront
