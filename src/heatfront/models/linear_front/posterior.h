// SPDX-License-Identifier: MIT
// Ridge regression on the rows z_i of Z at the labelled nodes L, as the operator that a new label asks for,
//
//     P = (Z_Lᵀ Z_L / κ + λ)⁻¹  (d, d)
//
// of several fronts at once, each in the form that is smallest:
//
//     by labels      P = (1 − Z_Lᵀ G Z_L / κ) / λ,   G = (Z_L Z_Lᵀ / κ + λ)⁻¹  by Cholesky's factor  (|L|, |L|)
//     by features    by Cholesky's factor of P⁻¹  (d, d)
//     by iteration   conjugate gradients; nothing is stored
//
// The factors stay as they were made. A node that is added or taken away later changes P by a matrix of rank one, of which the vector
// is kept: P − v vᵀ / (κ + zᵀv) and P + v vᵀ / (κ − zᵀv) with v = P z.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/models/linear_front/front_kernel.h"

namespace heatfront {

// Above this many labels and this many features, factors are too large to store.
inline constexpr std::int64_t kMostStored = 4096;

class Posteriors {
 public:
  struct Ridge {
    double kappa, ridge;
  };

  // One for each kernel. The kernels and threads are lent and must outlive this; nodes are the labelled ones, none of them twice.
  Posteriors(FrontKernels& kernels, std::vector<Ridge> ridges, std::vector<NodeId> nodes, Threads& threads,
             std::int64_t most_stored = kMostStored);

  // P z: (d, m) → (d, m), one of each per kernel.
  std::vector<Matrix> apply(std::span<const Matrix> z);

  // W = P Z_Lᵀ y / κ, one per kernel, of the labels y (|L|, C) at the nodes that are labelled now.
  std::vector<Matrix> fitted(std::span<const NodeId> nodes, ConstMatrixView y);

  // Of one kernel, a column of z and of P z as it was before; how many have come and gone.
  void add(std::size_t kernel, ConstMatrixView z, ConstMatrixView p_z, std::int64_t column);
  void remove(std::size_t kernel, ConstMatrixView z, ConstMatrixView p_z, std::int64_t column);
  std::size_t changes(std::size_t kernel = 0) const { return of_[kernel].later.size(); }

  // column of p_z ← that of P z, where p_z is as it was before the last `since` changes.
  void bring_up_to_date(std::size_t kernel, std::size_t since, ConstMatrixView z, MatrixView p_z,
                        std::int64_t column) const;

 private:
  struct Change {  // P −= factor · v vᵀ
    std::vector<Real> v;
    double factor;
  };
  enum class Form { by_labels, by_features, by_iteration };
  struct One {
    Ridge ridge;
    Form form;
    Matrix factor = {};  // L, lower half
    std::vector<Change> later = {};
  };

  void make_factors();
  void change(std::size_t kernel, double sign, ConstMatrixView z, ConstMatrixView p_z, std::int64_t column);
  std::vector<Matrix> applied_as_made(std::span<const Matrix> z);
  void iterate(std::span<const Matrix> z, std::vector<Matrix>& x);
  std::vector<Matrix> with(Form form, std::span<const Matrix> from) const;
  std::vector<Matrix> times_system(std::span<const Matrix> x);
  std::vector<Matrix> spread(std::span<const NodeId> nodes, ConstMatrixView y) const;

  FrontKernels& kernels_;
  Threads& threads_;
  std::vector<NodeId> nodes_;
  std::vector<One> of_;  // by kernel
};

}  // namespace heatfront
