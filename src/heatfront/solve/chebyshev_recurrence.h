// SPDX-License-Identifier: MIT
// Chebyshev polynomials of an operator, whatever is to become of them. With X = A/h + 1, h = |lowest|/2:
//
//     T_0 = u,  T_1 = X u,  T_{k+1} = 2 X T_k − T_{k−1}
//
// and backwards (Clenshaw), where S_k is ∂L/∂T_k as a sum of the T_k has it:
//
//     A_K = S_K,   A_k = S_k + 2 Xᵀ A_{k+1} − A_{k+2}  (k ≥ 1),   ∂L/∂u = S_0 + Xᵀ A_1 − A_2
//     ∂L/∂X = A_1 T_0ᵀ + 2 Σ_{k≥1} A_{k+1} T_kᵀ
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix.h"
#include "heatfront/solve/operator.h"

namespace heatfront {

class ChebyshevRecurrence {
 public:
  // h. Any width above 0 will do for an operator that is zero; 1/h must be a Real.
  static double half_width(const Operator& a) { return std::max(-a.lowest() / 2, 1e-30); }

  // state: u → Σ c_k T_k, with each(k, T_k) for k = 0, 1, … on the way.
  template <class Each>
  void sum(const Operator& a, std::span<const double> c, MatrixView state, const Each& each) {
    begin(a, state);
    each(0, behind_.view());
    scale(c[0], state, a.threads());
    run(a, std::ssize(c) - 1, c, state, each);
  }

  // each(k, T_k) for k = 0 … degree.
  template <class Each>
  void visit(const Operator& a, std::int64_t degree, ConstMatrixView start, const Each& each) {
    begin(a, start);
    each(0, behind_.view());
    run(a, degree, {}, {}, each);
  }

  // ∂L/∂u, in the shape of `like`; lent until the next call. add_source(k, A_k) adds S_k; use(k, A_{k+1}) comes for
  // k = degree − 1 … 0.
  template <class Source, class Use>
  ConstMatrixView backward(const Operator& a, std::int64_t degree, ConstMatrixView like,
                           const Source& add_source, const Use& use) {
    shape_like(ahead_, like);
    shape_like(behind_, like);
    add_source(degree, ahead_.view());
    for (std::int64_t k = degree - 1; k >= 0; --k) {  // ahead_ = A_{k+1}; behind_: A_{k+2} → A_k
      use(k, std::as_const(ahead_).view());
      a.apply_adjoint(k == 0 ? last_step(a) : later_step(a), ahead_, behind_, {});
      add_source(k, behind_.view());
      std::swap(ahead_, behind_);
    }
    return ahead_;
  }

 private:
  static Step first_step(const Operator& a) { return {.alpha = 1 / half_width(a), .beta = 1}; }
  static Step later_step(const Operator& a) { return {.alpha = 2 / half_width(a), .beta = 2, .gamma = -1}; }
  static Step last_step(const Operator& a) { return {.alpha = 1 / half_width(a), .beta = 1, .gamma = -1}; }

  void begin(const Operator& a, ConstMatrixView start) {
    shape_like(ahead_, start);
    shape_like(behind_, start);
    copy(start, behind_, a.threads());
  }

  template <class Each>
  void run(const Operator& a, std::int64_t degree, std::span<const double> c, MatrixView sum,
           const Each& each) {
    for (std::int64_t k = 1; k <= degree; ++k) {
      Step step = k == 1 ? first_step(a) : later_step(a);
      if (!c.empty()) step.delta = c[static_cast<std::size_t>(k)];
      if (k > 1) std::swap(ahead_, behind_);
      a.apply(step, behind_, ahead_, sum);
      each(k, std::as_const(ahead_).view());
    }
  }

  Matrix ahead_, behind_;
};

}  // namespace heatfront
