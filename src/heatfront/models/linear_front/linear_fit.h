// SPDX-License-Identifier: MIT
// A few linear fronts, fitted to labels, and fitted again while labels come, change and go. With P as in posterior.h, v = P z_j and
// r = y_j − z_jᵀ W, what node j would have to be told:
//
//     W = P Z_Lᵀ y / κ            from the beginning
//     W += v r / (κ + z_jᵀ v)     a label at j comes
//     W −= v r / (κ − z_jᵀ v)     it goes
//     W += v (y'_j − y_j) / κ     it changes
//
// exactly. Flows shorten the rows of all nodes but those without edges, whose answers would be out of all proportion: theirs are those of a
// row no longer than √κ, as the labelled ones have on average. The answer is linear in the labels, f(u) = Σ_j a_j y_j with a_j = z_uᵀ P z_j / κ, and in the attributes of the nodes,
// f(u) = Σ_k z_uk W_k: what explains it is exact both ways.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heatfront/models/linear_front/choose_fronts.h"
#include "heatfront/models/linear_front/posterior.h"

namespace heatfront {

class LinearFit {
 public:
  // The data set, with its features, and weights and threads are lent and must outlive this. `flow`: of which only time and loop
  // are the fronts' own.
  LinearFit(const Dataset& dataset, std::span<const Real> weights, std::vector<FittedFront> fronts,
            const FlowOptions& flow, Threads& threads);
  ~LinearFit();

  // m, of what a label says from now on: e_label − m.
  void set_centre(std::vector<double> centre) { centre_ = std::move(centre); }

  // To these labels, whatever it was fitted to before.
  void fit(const KnownLabels& known, ClassId classes) { fit(front_targets(known, classes, centre_)); }
  void fit(FrontTargets targets);

  // The same where α (|L|, C) is known of every front.
  void fit(const KnownLabels& known, ClassId classes, std::span<const Matrix> alphas) {
    fit(front_targets(known, classes, centre_), alphas);
  }
  void fit(FrontTargets targets, std::span<const Matrix> alphas);

  ConstMatrixView values() const { return values_; }  // f (n, C), the fronts' weighed sum

  // What f would be if some of the labels were not there, exactly, and without fitting anew: with Z_F the rows of these nodes,
  //
  //     W − V (κ − Z_F V)⁻¹ (Y_F − Z_F W),     V = P Z_Fᵀ
  Matrix values_without(const std::vector<std::size_t>& places);
  std::int64_t products() const;

  // Why some nodes have their value, in one flow each way per kernel.
  struct Shares {
    std::vector<double> labels;  // a_j, the fronts' weighed sum, of every label it is fitted to

    // z_uk W_kc, the fronts' weighed sum: of those whose columns are the data's features (d, C), and of those
    // whose columns are nodes (n, C); empty where there is no such front.
    Matrix attributes, places;
    std::vector<Real> own_front;  // X̂ W at the node, before any flow, the fronts' weighed sum
  };
  std::vector<Shares> shares_of(std::span<const NodeId> nodes);

  // How much of a change at node j arrives at every other: f(v) += h(v, j) (y − f(j)) when j is told y. (n, nodes)
  Matrix influence(std::span<const NodeId> nodes);

 private:
  struct Front;
  struct Kernel;

  template <class Body>
  void for_kernels(const Body& body);
  void make_posteriors();
  void fit_anew();
  void add_values();
  Matrix values_of(Kernel& kernel, ConstMatrixView w) const;  // Z w, with shortened rows
  void change_label(NodeId u, std::span<const double> before, std::span<const double> after);

  const Dataset& dataset_;
  Threads& threads_;
  std::vector<std::string> views_;
  std::vector<FrontFeatures> features_;  // by view
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::size_t fronts_ = 0;
  std::vector<double> centre_;  // empty: even
  FrontTargets known_;
  ClassId classes_ = 0;  // or columns of other labels
  bool has_posteriors_ = false;
  Matrix values_;
};

}  // namespace heatfront
