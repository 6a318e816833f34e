// SPDX-License-Identifier: MIT
// M = V diag(μ) Vᵀ for a small symmetric M, again and again without allocating.
#pragma once

#include <memory>
#include <span>

namespace heatfront {

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
