// SPDX-License-Identifier: MIT
// T = Q diag(λ) Qᵀ for a symmetric tridiagonal T of modest size.
#pragma once

#include <span>
#include <vector>

namespace heatfront {

struct TridiagonalEigen {
  std::vector<double> values;   // λ, ascending
  std::vector<double> vectors;  // Q by columns

  double entry(std::size_t i, std::size_t k) const { return vectors[k * values.size() + i]; }  // Q_ik
};

// off_diagonal: one less than the diagonal.
TridiagonalEigen decompose_tridiagonal(std::span<const double> diagonal,
                                       std::span<const double> off_diagonal);

}  // namespace heatfront
