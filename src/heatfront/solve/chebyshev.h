// SPDX-License-Identifier: MIT
// exp(tA) u by the Chebyshev series, its degree known before the first product. With X = A/h + 1, h =
// |lowest|/2:
//
//     T_0 = u,  T_1 = X u,  T_{k+1} = 2 X T_k − T_{k−1},      f = Σ c_k T_k
//
// Clamped rows of A are zero, so every T_k keeps them. Backwards (Clenshaw), with G = ∂L/∂f:
//
//     A_K = c_K G,   A_k = c_k G + 2 Xᵀ A_{k+1} − A_{k+2}  (k ≥ 1),   ∂L/∂u = c_0 G + Xᵀ A_1 − A_2
//     ∂L/∂X = A_1 T_0ᵀ + 2 Σ_{k≥1} A_{k+1} T_kᵀ
#pragma once

#include "heatfront/solve/solver.h"

namespace heatfront {

class Chebyshev : public TimeSolver {
 public:
  explicit Chebyshev(const SolveOptions& options) : tolerance_(options.tolerance) {}

  SolveReport solve(const Operator& a, double time, MatrixView state, Trace* trace) override;
  SolveReport backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                       OperatorGradient* gradient) override;

  // The states at several times, ascending, from one recurrence: states[i] ← exp(t_i A) u. `states` begin at
  // zero.
  SolveReport solve_many(const Operator& a, std::span<const double> times, ConstMatrixView start,
                         std::span<const MatrixView> states);

 private:
  double tolerance_;
  Matrix ahead_, behind_, start_;  // what a recurrence scribbles on
};

}  // namespace heatfront
