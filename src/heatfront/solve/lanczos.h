// SPDX-License-Identifier: MIT
// An orthonormal basis V of the Krylov space of a start s, for every column, with A V ≈ V T and T
// tridiagonal. In it, with t^k φ_k(tz) the k-fold integral of exp(tz) from 0 to t,
//
//     t^k φ_k(tA) s ≈ ‖s‖ V t^k φ_k(tT) e_1
//
// and the error is at most ‖s‖ β_{m+1} e_mᵀ t^{k+1} φ_{k+1}(tT) e_1: what the residual β_{m+1} v_{m+1} e_mᵀ …
// becomes under a flow that enlarges nothing (all the factors are ≥ 0, since T's off-diagonal is).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/solve/operator.h"
#include "heatfront/solve/tridiagonal.h"

namespace heatfront {

class Lanczos {
 public:
  // Grows the basis until the error of t^k φ_k is at most allowed[c]·(t/time) at t = `time`, and returns the
  // time up to which that holds: `time`, or less where the basis has come to its largest size. The start is
  // zero on clamped rows.
  double build(const Operator& a, ConstMatrixView start, int k, double time, std::span<const double> allowed);

  // sum += t^k φ_k(tA) s
  void add(const Operator& a, int k, double t, MatrixView sum) const;

  // The error of t^k φ_k, by column.
  std::vector<double> error_bounds(int k, double t) const;

  std::int64_t products() const { return static_cast<std::int64_t>(size_); }

 private:
  struct Column {
    double norm = 0;                             // ‖s‖
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
