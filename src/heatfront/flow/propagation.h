// SPDX-License-Identifier: MIT
// Products with an adjacency that is normalised by degree. With a loop of weight ℓ on every node, d the degrees and
// P = D^−1 (W + ℓ):
//
//     symmetric   S = D^−½ (W + ℓ) D^−½ = D^½ P D^−½
//     row         D^−1 (W + ℓ) = P                            (each node takes the mean of its neighbours)
//     column      (W + ℓ) D^−1 = D P D^−1                     (each node shares itself out)
//
// A node without edge and loop keeps what it has.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

enum class Normalisation { symmetric, row, column };

struct NormalisationName {
  Normalisation normalisation;
  std::string_view name;
};
std::span<const NormalisationName> normalisations();
Normalisation normalisation_named(std::string_view name);  // Error lists the right ones

// Steps of a spreading that anybody waits for.
inline constexpr std::int64_t kMostSpreads = 100'000;

class Propagation {
 public:
  // Graph and weights (one per arc, or none for all 1) are lent and must outlive this.
  Propagation(const Graph& graph, std::span<const Real> weights, Normalisation normalisation,
              double self_loop, Threads& threads);

  // y ← M x. x is used up: afterwards it holds D^−p x. All states are padded alike (padded_matrix).
  void multiply(MatrixView x, MatrixView y);

  // `steps` times f ← a M f + (1 − a) x, from f = x; rows of the nodes `held` stay as they are in x.
  void spread(double a, std::int64_t steps, ConstMatrixView x, MatrixView f,
              std::span<const NodeId> held = {});

  std::int64_t products() const { return products_; }  // so far

 private:
  void check_state(ConstMatrixView state) const;
  void enter(MatrixView state);  // x → D^−p x, and back
  void leave(MatrixView state);

  Laplacian walk_;                           // P − 1
  std::vector<Real> scale_, inverse_scale_;  // d^p and d^−p; empty: all 1
  Matrix start_, other_;
  std::int64_t products_ = 0;
};

}  // namespace heatfront
