// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of small symmetric matrices.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace heatfront {

// T = Q diag(λ) Qᵀ for a symmetric tridiagonal T of modest size.
struct TridiagonalEigen {
  std::vector<double> values;   // λ, ascending
  std::vector<double> vectors;  // Q by columns

  double entry(std::size_t i, std::size_t k) const { return vectors[k * values.size() + i]; }  // Q_ik
};

// off_diagonal: one less than the diagonal.
TridiagonalEigen decompose_tridiagonal(std::span<const double> diagonal,
                                       std::span<const double> off_diagonal);

// M = V diag(μ) Vᵀ for a small symmetric M, again and again without allocating.
class SymmetricEigen {
 public:
  explicit SymmetricEigen(std::int64_t size);
  ~SymmetricEigen();
  SymmetricEigen(SymmetricEigen&&) noexcept;
  SymmetricEigen& operator=(SymmetricEigen&&) noexcept;

  void decompose(std::span<const double> matrix);  // by rows

  std::span<const double> values() const;   // μ, ascending
  std::span<const double> vectors() const;  // V by columns: one vector after the other

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace heatfront
