// SPDX-License-Identifier: MIT
// Features that have flowed along the edges,
//
//     Z = H X̂  (n, d),     H = exp(τΔ)
//
// as operators: neither H nor Z is ever stored. A node's row of Z is what a linear front has to say of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
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
  bool of_data() const {
    return attributes_ > 0;
  }  // made of the data set's columns, else its columns are nodes

  // What belongs to the columns of X̂ (d, m), added to the data set's columns that they are made of, half of a product's to each of its two; or to
  // the nodes that they are. Rows of `sum`: so many as attributes().
  std::int64_t attributes() const { return of_data() ? attributes_ : cols_; }
  void add_by_attribute(ConstMatrixView shares, MatrixView sum) const;

  Matrix times(ConstMatrixView w, Threads& threads) const;             // X̂ w: (d, m) → (n, m), padded
  Matrix transposed_times(ConstMatrixView a, Threads& threads) const;  // X̂ᵀ a: (n, m) → (d, m), padded
  Matrix dense() const;                                                // X̂ itself, padded
  double square_of(NodeId u) const;                                    // |x̂_u|²

 private:
  std::optional<NetworkInput> input_;
  std::int64_t cols_;
  std::int64_t attributes_ = 0;                               // columns of the data set
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs_;  // of products
};

// Which flow, of which features.
struct KernelSetting {
  std::string features;  // a view of models/features.h
  double time = 5;       // τ
  double self_loop = 1;  // ℓ

  bool operator==(const KernelSetting&) const = default;
};

// At one time: the places of some features, and the rows of Z of each of them, as columns (d, nodes), which are made when asked for.
using VisitRows = std::function<void(double time, std::span<const std::size_t> features,
                                     const std::function<Matrix(std::size_t)>& rows)>;

// The rows of Z at these nodes, of all features and at all times, which ascend, from one flow of the nodes, or of the features where
// these are fewer. Returns products.
std::int64_t for_rows_at(Flow& flow, std::span<const double> times, std::span<const FrontFeatures> features,
                         std::span<const NodeId> nodes, const VisitRows& visit);

// Several kernels. Those of one loop flow together, each column for its own time.
class FrontKernels {
 public:
  // Data set, weights and threads are lent and must outlive this. `flow`: of which time and loop are the kernels' own.
  FrontKernels(const Dataset& dataset, std::span<const Real> weights, std::vector<KernelSetting> settings,
               const FlowOptions& flow, Threads& threads);

  std::size_t size() const { return settings_.size(); }
  NodeId nodes() const { return nodes_; }
  const KernelSetting& setting(std::size_t k) const { return settings_[k]; }
  const FrontFeatures& features(std::size_t k) const { return features_[view_of_[k]]; }

  // One matrix per kernel, of as many columns as they like; where there are none, nothing is done.
  std::vector<Matrix> at_nodes(std::span<const Matrix> w);  // Z w: (d, m) → (n, m)
  std::vector<Matrix> to_features(std::vector<Matrix> a);   // Zᵀ a: (n, m) → (d, m)
  std::vector<Matrix> rows(std::span<const NodeId> nodes);  // of Z at these few nodes, as columns: (d, m)

  // The same of many nodes, one kernel after the other; kernels of one loop and time side by side.
  using VisitKernel = std::function<void(std::size_t kernel, const Matrix& rows)>;
  void for_rows(std::span<const NodeId> nodes, const VisitKernel& visit);

  std::int64_t products() const;

 private:
  struct Group {  // of one loop
    std::vector<std::size_t> kernels;
    std::unique_ptr<Flow> flow;
    std::int64_t products = 0;
  };
  using Way = SolveReport (Flow::*)(std::span<const double> times, MatrixView state);

  template <class Body>
  void for_kernels(const Body& body);
  void run(std::vector<Matrix>& states, Way way);

  NodeId nodes_;
  Threads& threads_;
  std::vector<KernelSetting> settings_;
  std::vector<std::string> views_;
  std::vector<FrontFeatures> features_;  // by view
  std::vector<std::size_t> view_of_;     // by kernel
  std::vector<Group> groups_;
};

}  // namespace heatfront
