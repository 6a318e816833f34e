// SPDX-License-Identifier: MIT
// A few linear fronts, fitted to labels, and fitted again while labels come, change and go. With P as in posterior.h, v = P z_j and
// r = y_j − z_jᵀ W, what node j would have to be told:
//
//     W = P Z_Lᵀ y / κ            from the beginning
//     W += v r / (κ + z_jᵀ v)     a label at j comes
//     W −= v r / (κ − z_jᵀ v)     it goes
//     W += v (y'_j − y_j) / κ     it changes
//
// exactly. The answer is linear in the labels, f(u) = Σ_j a_j y_j with a_j = z_uᵀ P z_j / κ, and in the attributes of the nodes,
// f(u) = Σ_k z_uk W_k: what explains it is exact both ways.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heatfront/models/linear_front/choose_fronts.h"
#include "heatfront/models/linear_front/posterior.h"

namespace heatfront {

struct FittedFront {
  FrontSetting setting;
  double kappa = 0;
};

class LinearFit {
 public:
  // The data set, with its features, and weights and threads are lent and must outlive this. `flow`: of which only time and loop
  // are the fronts' own.
  LinearFit(const Dataset& dataset, std::span<const Real> weights, std::vector<FittedFront> fronts,
            const FlowOptions& flow, Threads& threads);
  ~LinearFit();

  // To these labels, whatever it was fitted to before.
  void fit(const KnownLabels& known, ClassId classes);

  // The same where α (|L|, C) is known of every front.
  void fit(const KnownLabels& known, ClassId classes, std::span<const Matrix> alphas);

  ConstMatrixView values() const { return values_; }  // f (n, C), the mean of the fronts'
  std::int64_t products() const;

  // Why some nodes have their value, in one flow each way per kernel.
  struct Shares {
    std::vector<double> labels;  // a_j, the mean of the fronts', of every label it is fitted to

    // z_uk W_kc, summed over the fronts and divided by their number: of those whose columns are the data's features (d, C), and of those
    // whose columns are nodes (n, C); empty where there is no such front.
    Matrix attributes, places;
    std::vector<Real> own_front;  // X̂ W at the node, before any flow, the mean of the fronts'
  };
  std::vector<Shares> shares_of(std::span<const NodeId> nodes);

  // How much of a change at node j arrives at every other: f(v) += h(v, j) (y − f(j)) when j is told y. (n, nodes)
  Matrix influence(std::span<const NodeId> nodes);

 private:
  struct Front;
  struct Kernel;

  void make_posteriors();
  void fit_anew();
  void add_values();
  void change_label(NodeId u, ClassId before, ClassId after);

  const Dataset& dataset_;
  Threads& threads_;
  std::vector<std::string> views_;
  std::vector<FrontFeatures> features_;  // by view
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::size_t fronts_ = 0;
  KnownLabels known_;
  ClassId classes_ = 0;
  bool has_posteriors_ = false;
  Matrix values_;
};

}  // namespace heatfront
