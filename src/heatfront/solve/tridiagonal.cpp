// SPDX-License-Identifier: MIT
#include "heatfront/solve/tridiagonal.h"

#include <Eigen/Eigenvalues>
#include <cassert>

namespace heatfront {

TridiagonalEigen decompose_tridiagonal(std::span<const double> diagonal,
                                       std::span<const double> off_diagonal) {
  assert(!diagonal.empty() && off_diagonal.size() == diagonal.size() - 1);
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Vector(diagonal.data(), std::ssize(diagonal)),
                                Vector(off_diagonal.data(), std::ssize(off_diagonal)));
  const Eigen::VectorXd& values = solver.eigenvalues();
  const Eigen::MatrixXd& vectors = solver.eigenvectors();
  return {{values.data(), values.data() + values.size()}, {vectors.data(), vectors.data() + vectors.size()}};
}

}  // namespace heatfront
