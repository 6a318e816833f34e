// SPDX-License-Identifier: MIT
#include "heatfront/diffusion/reordered.h"

#include <algorithm>

namespace heatfront {

FlowOptions without_reordering(FlowOptions options) {
  options.reorder = Reordering::none;
  return options;
}

ReorderedProblem::ReorderedProblem(const DirichletProblem& problem, Reordering reordering)
    : order_(node_order(problem.graph, reordering)),
      graph_(permuted(problem.graph, problem.weights, order_)),
      known_{.nodes = {}, .classes = problem.known.classes},
      front_(problem.front.rows, problem.front.cols),
      classes_(problem.classes),
      label_scale_(problem.label_scale),
      free_(problem.free) {
  std::vector<NodeId> new_of(order_.size());
  for (std::size_t u = 0; u < order_.size(); ++u)
    new_of[static_cast<std::size_t>(order_[u])] = static_cast<NodeId>(u);
  for (NodeId u : problem.known.nodes) known_.nodes.push_back(new_of[static_cast<std::size_t>(u)]);
  for (std::int64_t u = 0; u < front_.rows(); ++u) {
    std::ranges::copy(problem.front.row(order_[static_cast<std::size_t>(u)]), front_.row(u).begin());
  }
}

DirichletProblem ReorderedProblem::problem() const {
  return {.graph = graph_.graph,
          .weights = graph_.weights,
          .classes = classes_,
          .known = known_,
          .front = front_,
          .label_scale = label_scale_,
          .free = free_};
}

Matrix ReorderedProblem::in_users_order(ConstMatrixView state) const {
  Matrix result(state.rows, state.cols, state.stride);
  for (std::int64_t u = 0; u < state.rows; ++u) {
    std::ranges::copy(state.row(u), result.row(order_[static_cast<std::size_t>(u)]).begin());
  }
  return result;
}

}  // namespace heatfront
