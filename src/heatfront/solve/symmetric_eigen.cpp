// SPDX-License-Identifier: MIT
#include "heatfront/solve/symmetric_eigen.h"

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

struct SymmetricEigen::Solver {
  explicit Solver(std::int64_t size) : matrix(Eigen::MatrixXd::Zero(size, size)), eigen(size) {}

  Eigen::MatrixXd matrix;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
};

SymmetricEigen::SymmetricEigen(std::int64_t size) : solver_(std::make_unique<Solver>(size)) {
  solver_->eigen.compute(solver_->matrix);
}

SymmetricEigen::~SymmetricEigen() = default;
SymmetricEigen::SymmetricEigen(SymmetricEigen&&) noexcept = default;
SymmetricEigen& SymmetricEigen::operator=(SymmetricEigen&&) noexcept = default;

void SymmetricEigen::decompose(std::span<const double> matrix) {
  assert(std::ssize(matrix) == solver_->matrix.size());
  std::copy(matrix.begin(), matrix.end(), solver_->matrix.data());
  solver_->eigen.compute(solver_->matrix);
}

std::span<const double> SymmetricEigen::values() const {
  return {solver_->eigen.eigenvalues().data(), static_cast<std::size_t>(solver_->matrix.rows())};
}

std::span<const double> SymmetricEigen::vectors() const {
  return {solver_->eigen.eigenvectors().data(), static_cast<std::size_t>(solver_->matrix.size())};
}

}  // namespace heatfront
