// SPDX-License-Identifier: MIT
// Features that have flowed along the edges,
//
//     Z = H X̂  (n, d),     H = exp(τΔ)
//
// as an operator: neither H nor Z is ever stored. A node's row of Z is what a linear front has to say of it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/flow/flow.h"
#include "heatfront/nn/network_input.h"

namespace heatfront {

// X̂, as models/features.h makes it of a data set; of the view `identity` each node is its own feature, and X̂ is not stored.
class FrontFeatures {
 public:
  FrontFeatures(const std::string& view, const Dataset& dataset);

  std::int64_t cols() const { return cols_; }
  bool is_identity() const { return !input_; }
  bool of_data() const { return of_data_; }  // its columns are those of the data set, else they are nodes

  Matrix times(ConstMatrixView w, Threads& threads) const;             // X̂ w: (d, m) → (n, m), padded
  Matrix transposed_times(ConstMatrixView a, Threads& threads) const;  // X̂ᵀ a: (n, m) → (d, m), padded
  Matrix dense() const;                                                // X̂ itself, padded
  double square_of(NodeId u) const;                                    // |x̂_u|²

 private:
  std::optional<NetworkInput> input_;
  std::int64_t cols_;
  bool of_data_ = false;
};

// Which flow, of which features.
struct KernelSetting {
  std::string features;  // a view of models/features.h
  double time = 5;       // τ
  double self_loop = 1;  // ℓ

  bool operator==(const KernelSetting&) const = default;
};

class FrontKernel {
 public:
  // Graph, weights, features and threads are lent and must outlive this.
  FrontKernel(const Dataset& dataset, std::span<const Real> weights, const FrontFeatures& features,
              const FlowOptions& flow, Threads& threads);

  std::int64_t features() const { return features_.cols(); }  // d
  Matrix at_nodes(ConstMatrixView w);                         // Z w: (d, m) → (n, m)
  Matrix to_features(Matrix a);                               // Zᵀ a: (n, m) → (d, m)
  Matrix rows(std::span<const NodeId> nodes);  // the rows of Z at these nodes, as columns: (d, m)
  std::int64_t products() const { return products_; }

 private:
  const FrontFeatures& features_;
  NodeId nodes_;
  Flow flow_;
  Threads& threads_;
  std::int64_t products_ = 0;
};

}  // namespace heatfront
