// SPDX-License-Identifier: MIT
// The steady state, A u = 0 on the free rows: with g the clamped rows,
//
//     −A_ff u_f = A_fc g        symmetric in the metric, and definite on every row that a clamped row reaches
//
// by preconditioned conjugate gradients (`cg`). Both steady solvers stop where ‖A u‖ ≤ tolerance · ‖A g‖ in
// every column (where A g = 0: relative to A u at the start). Rows that no clamped row reaches and that
// already are in balance, such as zeros, are kept to the bit; others go to some balance of their own
// component.
#pragma once

#include "heatfront/solve/solver.h"

namespace heatfront {

class SteadyState : public SteadySolver {
 public:
  explicit SteadyState(const SolveOptions& options)
      : tolerance_(options.tolerance), witnesses_(static_cast<std::size_t>(options.witnesses)) {}

  SolveReport solve(const Operator& a, MatrixView state) override;

 private:
  double tolerance_;
  std::size_t witnesses_;
};

// What residuals are relative to, by column, at the price of two products; `residual` ← A u.
std::vector<double> residual_scales(const Operator& a, ConstMatrixView state, MatrixView residual);

// How far a row is from the mean of its neighbours, at most: |A u| over the diagonal.
double largest_move(const Operator& a, ConstMatrixView residual);

}  // namespace heatfront
