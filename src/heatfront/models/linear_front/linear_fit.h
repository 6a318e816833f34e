// SPDX-License-Identifier: MIT
// A few linear fronts, fitted to labels, and fitted again while labels come, change and go. With P as in posterior.h, v = P z_j and
// r = y_j − z_jᵀ W, what node j would have to be told:
//
//     W = P Z_Lᵀ y / κ            from the beginning
//     W += v r / (κ + z_jᵀ v)     a label at j comes
//     W −= v r / (κ − z_jᵀ v)     it goes
//     W += v (y'_j − y_j) / κ     it changes
//
// exactly, and f changes by Z v times the same: one column that flows for each front, whatever the number of classes. Flows shorten the rows of all nodes but those without edges, whose answers would be out of all proportion: theirs are those of a
// row no longer than √κ, as the labelled ones have on average. The answer is linear in the labels, f(u) = Σ_j a_j y_j with a_j = z_uᵀ P z_j / κ, and in the attributes of the nodes,
// f(u) = Σ_k z_uk W_k: what explains it is exact both ways.
#pragma once

#include <map>
#include <optional>
#include <span>
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

  // m, of what a label says from now on: e_label − m.
  void set_centre(std::vector<double> centre) { centre_ = std::move(centre); }

  // To these labels, whatever it was fitted to before. Interrupted, it is fitted to none.
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
  std::int64_t products() const { return kernels_.products(); }

  // Why some nodes have their value, in one flow each way per loop.
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
  struct Front {
    double kappa, ridge, weight;
    std::map<NodeId, double> lone;  // nodes without edges whose rows are shortened, and by what factor
    Matrix w = {};                  // (d, C)

    double factor_of(NodeId u) const {
      const auto found = lone.find(u);
      return found == lone.end() ? 1 : found->second;
    }
  };
  struct Change {  // what a node is told; empty: nothing
    std::span<const double> before, after;
  };
  using Changes = std::map<NodeId, Change>;

  static Changes changes(const FrontTargets& before, const FrontTargets& after);
  void fit_from_here(FrontTargets targets);
  void make_posteriors();
  void fit_anew();
  void change_labels(const Changes& changes, bool refits);
  void add_values();
  Matrix weighed_sum(std::span<const Matrix> of_fronts) const;  // (n, m), with shortened rows

  const Dataset& dataset_;
  Threads& threads_;
  FrontKernels kernels_;  // one for each front
  std::vector<Front> fronts_;
  std::vector<double> centre_;  // empty: even
  FrontTargets known_;
  ClassId classes_ = 0;  // or columns of other labels
  std::optional<Posteriors> posteriors_;
  Matrix values_;
};

}  // namespace heatfront
