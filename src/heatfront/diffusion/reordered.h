// SPDX-License-Identifier: MIT
// A Dirichlet problem with its nodes in another order, and the way back: row new of its states is row
// order[new] of the user's.
#pragma once

#include <vector>

#include "heatfront/diffusion/dirichlet.h"
#include "heatfront/graph/reorder.h"

namespace heatfront {

FlowOptions without_reordering(FlowOptions options);

class ReorderedProblem {
 public:
  ReorderedProblem(const DirichletProblem& problem, Reordering reordering);

  DirichletProblem problem() const;                    // lends what is kept here
  Matrix in_users_order(ConstMatrixView state) const;  // the same columns and stride

 private:
  std::vector<NodeId> order_;
  WeightedGraph graph_;
  KnownLabels known_;
  Matrix front_;
  ClassId classes_;
  double label_scale_;
  bool free_;
};

}  // namespace heatfront
