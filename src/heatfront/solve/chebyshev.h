// SPDX-License-Identifier: MIT
// exp(tA) u by the Chebyshev series, its degree known before the first product:
//
//     f = Σ c_k T_k(A/h + 1) u,   h = |lowest|/2
//
// Clamped rows of A are zero, so every T_k keeps them. Backwards, ∂L/∂T_k = c_k ∂L/∂f.
#pragma once

#include "heatfront/solve/chebyshev_recurrence.h"
#include "heatfront/solve/solver.h"

namespace heatfront {

class Chebyshev : public TimeSolver {
 public:
  explicit Chebyshev(const SolveOptions& options)
      : tolerance_(options.tolerance), certify_(options.certify) {}

  SolveReport solve(const Operator& a, double time, MatrixView state, Trace* trace) override;
  SolveReport backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                       OperatorGradient* gradient) override;

  // The states at several times, ascending, from one recurrence: states[i] ← exp(t_i A) u, with a report for each, whose
  // products are among those of the last. `states` begin at zero. Wide states go block of columns by block of columns, side by side.
  std::vector<SolveReport> solve_many(const Operator& a, std::span<const double> times, ConstMatrixView start,
                                      std::span<const MatrixView> states);

  // So many columns of every state are held once more while these blocks are under way, with two polynomials and the start.
  static std::int64_t columns_beside(std::int64_t columns);

  // Each column for a time of its own, from one recurrence: column c of the state ← exp(t_c A) times it. Without a bound.
  SolveReport solve_columns(const Operator& a, std::span<const double> times, MatrixView state);

 private:
  double tolerance_;
  bool certify_;
  ChebyshevRecurrence recurrence_;
  std::vector<Real> held_;  // the clamped rows
};

}  // namespace heatfront
