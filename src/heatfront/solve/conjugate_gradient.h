// SPDX-License-Identifier: MIT
// (σ − αA) x = b on the free rows, by conjugate gradients in the operator's metric, preconditioned with the
// diagonal. Columns have coefficients of their own and share the products; a column rests once it is good
// enough.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/solve/operator.h"

namespace heatfront {

class ConjugateGradient {
 public:
  ConjugateGradient(const Operator& a, double sigma, double alpha);

  struct Report {
    std::int64_t products = 0;
    bool reached = true;
  };

  // Improves x until the residual of column c has a norm of at most targets[c]. `residual` holds b − (σ − αA)
  // x, is zero on clamped rows, and is written over. Rows where it is zero and stays so are kept to the bit. The last
  // `witnesses` columns are improved along with the others, which do not wait for them.
  Report solve(MatrixView residual, MatrixView x, std::span<const double> targets, std::size_t witnesses = 0);

 private:
  const Operator& a_;
  double sigma_, alpha_;
  std::vector<Real> inverse_diagonal_;
  Matrix direction_, image_;
};

}  // namespace heatfront
