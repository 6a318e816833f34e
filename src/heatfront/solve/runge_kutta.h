// SPDX-License-Identifier: MIT
// exp(tA) u by explicit Runge–Kutta steps. A step of a linear system is a polynomial of it (tableaus.h), and
// is computed as one, at one product a stage:
//
//     u ← R(hA) u = Σ_j r_j y_j,      y_0 = u,  y_{j+1} = hA y_j
//
// Backwards, with G = ∂L/∂u after the step (step sizes count as given):
//
//     a_J = r_J G,   a_j = r_j G + hAᵀ a_{j+1},   ∂L/∂u = a_0,   ∂L/∂A = h Σ_j a_{j+1} y_jᵀ
//
// A tableau with an error estimate chooses its steps as it goes (step_control.h) and ends on t exactly; the
// others take equal steps, as many as the options say or as the tolerance needs.
#pragma once

#include <vector>

#include "heatfront/solve/solver.h"
#include "heatfront/solve/tableaus.h"

namespace heatfront {

class RungeKutta : public TimeSolver {
 public:
  RungeKutta(const Tableau& tableau, const SolveOptions& options);

  SolveReport solve(const Operator& a, double time, MatrixView state, Trace* trace) override;
  SolveReport backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                       OperatorGradient* gradient) override;

 private:
  SolveReport take_adaptive_steps(const Operator& a, double time, MatrixView state, Trace* trace);
  SolveReport take_equal_steps(const Operator& a, double time, MatrixView state, Trace* trace);

  const Tableau& tableau_;
  SolveOptions options_;
  std::vector<double> r_;
  std::vector<Matrix> powers_;  // y_0 … y_J
  Matrix slope_, next_slope_, change_;
};

}  // namespace heatfront
