// SPDX-License-Identifier: MIT
// An orthonormal basis V of the Krylov space of a start s, for every column, with A V ≈ V T and T
// tridiagonal. In it, with t^k φ_k(tz) the k-fold integral of exp(tz) from 0 to t,
//
//     t^k φ_k(tA) s ≈ ‖s‖ V t^k φ_k(tT) e_1
//
// and the error is at most ‖s‖ β_{m+1} e_mᵀ t^{k+1} φ_{k+1}(tT) e_1: what the residual β_{m+1} v_{m+1} e_mᵀ …
// becomes under a flow that enlarges nothing (all the factors are ≥ 0, since T's off-diagonal is). Of V it is only asked
// that its columns have norm 1: that rounding leaves them orthogonal is not needed. What it leaves of A V − V T is one more residual,
// with e_iᵀ in place of e_mᵀ for column i.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/solve/operator.h"
#include "heatfront/solve/symmetric_eigen.h"

namespace heatfront {

class Lanczos {
 public:
  // Grows the basis until the error of t^k φ_k is at most allowed[c]·(t/time) at t = `time`, and returns the
  // time up to which that holds: `time`, or less where the basis has come to its largest size. The start is
  // zero on clamped rows.
  double build(const Operator& a, ConstMatrixView start, int k, double time, std::span<const double> allowed);

  // sum += t^k φ_k(tA) s
  void add(const Operator& a, int k, double t, MatrixView sum) const;

  // The error of t^k φ_k, by column, where rounding takes A V up to `defect` in a column from what it is said to be.
  std::vector<double> error_bounds(int k, double t, double defect) const;

  std::int64_t products() const { return static_cast<std::int64_t>(size_); }

 private:
  struct Column {
    double norm = 0;            // ‖s‖
    double left_out = 0;        // ‖s‖ that is taken for zero
    double last_residual = 0;   // β that is taken for zero, where the space is exhausted …
    std::size_t exhausted = 0;  // … by so many vectors
    std::vector<double> diagonal, off_diagonal;  // of T; the last of the latter is β_{m+1}
    TridiagonalEigen eigen;                      // of T
  };
  void begin(const Operator& a, ConstMatrixView start);
  void grow(const Operator& a);
  static double error_bound(const Column& column, int k, double t);

  std::size_t size_ = 0;
  std::vector<Matrix> basis_;
  std::vector<Column> columns_;
};

}  // namespace heatfront
