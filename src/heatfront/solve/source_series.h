// SPDX-License-Identifier: MIT
// The flow with a constant source, du/dt = A u + u M + u(0), as a Chebyshev series in A. With c_k(τ) the
// coefficients of exp(τ(x − 1)), and X = A/h + 1:
//
//     u(t) = Σ_k T_k(X) u(0) C_k,      C_k = c_k(ht) e^{tM} + ∫_0^t c_k(hs) e^{sM} ds = Σ_q w_q c_k(hs_q) e^{s_q M}
//
// where M mixes the columns. The last time s_q is t, with weight 1; the others are Gauss and Legendre's on [0, t], as
// many as double precision can tell from the integral. Cut after degree K, with every tail added to c_K(hs_q), so that
// rows where A is zero are exact. Tails grow with s, so
//
//     ‖error‖ ≤ 2 Σ_{k>K} c_k(ht) · ‖e^{tM} + ∫_0^t e^{sM} ds‖ ‖u(0)‖
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heatfront {

class SourceSeries {
 public:
  // Eigenvalues of A are in [−2h, 0], their sums with those of M in [−reach, reach]. `tolerance` bounds
  // 2 Σ_{k>K} c_k(ht).
  SourceSeries(double half_width, double reach, double time, double tolerance);

  std::int64_t degree() const { return degree_; }  // K
  double error_bound() const { return error_bound_; }

  std::span<const double> times() const { return times_; }  // s_q
  double weight(std::size_t q, std::int64_t k) const {      // w_q c_k(hs_q)
    return weights_[q * static_cast<std::size_t>(degree_ + 1) + static_cast<std::size_t>(k)];
  }

  std::span<const double> coefficients() const { return coefficients_; }  // C_k without M

  // c_k(ht), of the flow without its source.
  std::span<const double> sourceless() const {
    return std::span(weights_).last(static_cast<std::size_t>(degree_ + 1));
  }

 private:
  std::int64_t degree_;
  double error_bound_;
  std::vector<double> times_, weights_, coefficients_;
};

}  // namespace heatfront
