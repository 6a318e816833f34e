// SPDX-License-Identifier: MIT
// exp(tA) u from Krylov spaces (Lanczos), each column in its own:
//
//     u(t) = u + t φ1(tA) w,     w = A u
//
// w is zero on clamped rows, so A may be taken for its free block, which is symmetric in the metric: free and
// clamped flow are the same. Where the largest space is too small for the whole of t, time is cut. Backwards,
// with G = ∂L/∂u(t), a(s) = exp(s A_ff) G_f and L A's symmetric form without clamped rows:
//
//     ∂L/∂u_f = a(t),    ∂L/∂u_c = G_c + L_cf ∫ a(s) ds,    ∂L/∂A = ∫ a(s) u(t − s)ᵀ ds     over [0, t]
//
// the last by Gauss' quadrature, which is as good as the tolerance with half as many nodes as a Chebyshev
// series has terms.
#pragma once

#include "heatfront/solve/solver.h"

namespace heatfront {

class Krylov : public TimeSolver {
 public:
  explicit Krylov(const SolveOptions& options) : tolerance_(options.tolerance) {}

  SolveReport solve(const Operator& a, double time, MatrixView state, Trace* trace) override;
  SolveReport backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                       OperatorGradient* gradient) override;

 private:
  double tolerance_;
};

}  // namespace heatfront
