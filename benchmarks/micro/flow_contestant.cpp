// SPDX-License-Identifier: MIT
#include "micro/flow_contestant.h"

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/random.h"

namespace heatfront::micro {

FlowContestant::FlowContestant(const WeightedGraph& graph, std::int64_t columns, Threads& threads)
    : graph_(graph),
      laplacian_(graph.graph, graph.weights, {}, 1, threads),
      x_(padded_matrix(graph.graph.nodes(), columns)),
      y_(padded_matrix(graph.graph.nodes(), columns)),
      sum_(padded_matrix(graph.graph.nodes(), columns)) {
  const Random random(1);
  for (std::int64_t u = 0; u < x_.rows(); ++u) {
    for (Real& value : x_.row(u)) value = static_cast<Real>(random.uniform(static_cast<std::uint64_t>(u)));
  }
}

void FlowContestant::product() { laplacian_.apply({.alpha = 1}, x_, y_, {}); }

void FlowContestant::step() {
  laplacian_.apply({.alpha = 2, .beta = 2, .gamma = -1, .delta = 0.01}, x_, y_, sum_);
}

double FlowContestant::bytes(int rows_moved) const {
  const double real = sizeof(Real), nodes = graph_.graph.nodes();
  const double arc = sizeof(NodeId) + (graph_.weights.empty() ? 0 : real);
  return arc * static_cast<double>(graph_.graph.arcs()) +
         nodes * (sizeof(ArcId) + 2 * real + rows_moved * real * static_cast<double>(x_.stride()));
}

}  // namespace heatfront::micro
