// SPDX-License-Identifier: MIT
// The steady state by Jacobi's sweeps, which are label propagation (the paper's section 2.3): every free row
// takes the value that puts it in balance with its neighbours as they were,
//
//     u_f ← u_f + (A u)_f / |A_ff|,       clamped rows stay
#pragma once

#include "heatfront/solve/solver.h"

namespace heatfront {

class Jacobi : public SteadySolver {
 public:
  explicit Jacobi(const SolveOptions& options)
      : tolerance_(options.tolerance), witnesses_(static_cast<std::size_t>(options.witnesses)) {}

  SolveReport solve(const Operator& a, MatrixView state) override;

 private:
  double tolerance_;
  std::size_t witnesses_;
};

}  // namespace heatfront
