// SPDX-License-Identifier: MIT
// Ridge regression on the rows z_i of Z at the labelled nodes L, as the operator that a new label asks for,
//
//     P = (Z_Lᵀ Z_L / κ + λ)⁻¹  (d, d)
//
// in the form that is smallest:
//
//     by labels      P = (1 − Z_Lᵀ G Z_L / κ) / λ,   G = (Z_L Z_Lᵀ / κ + λ)⁻¹ stored  (|L|, |L|)
//     by features    P stored  (d, d)
//     by iteration   conjugate gradients; nothing is stored
//
// A node that is added or taken away changes G or P by a matrix of rank one: O(|L|²) or O(d²).
#pragma once

#include <memory>
#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/models/linear_front/front_kernel.h"

namespace heatfront {

class Posterior {
 public:
  virtual ~Posterior() = default;

  virtual Matrix apply(ConstMatrixView z) = 0;  // P z: (d, m) → (d, m)

  // The node's row z of Z (d, 1), and P z as it was before.
  virtual void add(NodeId node, ConstMatrixView z, ConstMatrixView p_z) = 0;
  virtual void remove(NodeId node, ConstMatrixView z, ConstMatrixView p_z) = 0;

 protected:
  Posterior() = default;
  Posterior(const Posterior&) = default;
  Posterior& operator=(const Posterior&) = default;
};

// Above this many labels and this many features, G and P are too large to store.
inline constexpr std::int64_t kMostStored = 4096;

// The kernel is lent and must outlive this; nodes are the labelled ones, none of them twice.
std::unique_ptr<Posterior> make_posterior(FrontKernel& kernel, double kappa, double ridge,
                                          std::span<const NodeId> nodes, Threads& threads);
std::unique_ptr<Posterior> make_posterior_by_iteration(FrontKernel& kernel, double kappa, double ridge,
                                                       std::span<const NodeId> nodes);

}  // namespace heatfront
