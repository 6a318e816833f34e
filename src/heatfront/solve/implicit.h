// SPDX-License-Identifier: MIT
// exp(tA) u by equal implicit steps, each a linear system for conjugate gradients on the free rows:
//
//     (1 − θhA) δ = hA u,   u ← u + δ            θ = 1: implicit-euler,  θ = ½: crank-nicolson
//
// The number of steps follows from the tolerance and R(z) = 1 + z/(1 − θz) beforehand (equal_steps.h);
// a tenth of the tolerance is for the systems, whose errors no later step enlarges. Backwards, with G = ∂L/∂u
// after the step:
//
//     (1 − θhAᵀ) μ = G,   ∂L/∂u = G + hAᵀ μ,   ∂L/∂A = h μ (u + θδ)ᵀ
//
// where only the free rows of μ count.
#pragma once

#include <string_view>

#include "heatfront/solve/solver.h"

namespace heatfront {

class Implicit : public TimeSolver {
 public:
  enum class Method { euler, crank_nicolson };
  Implicit(Method method, const SolveOptions& options) : method_(method), options_(options) {}

  SolveReport solve(const Operator& a, double time, MatrixView state, Trace* trace) override;
  SolveReport backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                       OperatorGradient* gradient) override;

 private:
  std::string_view name() const { return method_ == Method::euler ? "implicit-euler" : "crank-nicolson"; }
  double theta() const { return method_ == Method::euler ? 1 : 0.5; }
  struct Plan;
  Plan plan(const Operator& a, double time, ConstMatrixView start) const;

  Method method_;
  SolveOptions options_;
  Matrix change_, middle_, residual_;  // δ or μ, the state that A is applied to, what is left of the system
};

}  // namespace heatfront
