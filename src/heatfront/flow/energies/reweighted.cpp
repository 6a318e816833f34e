// SPDX-License-Identifier: MIT
#include "heatfront/flow/energies/reweighted.h"

#include <vector>

#include "heatfront/graph/components.h"

namespace heatfront {
namespace {

constexpr double kMostNear = 1e7;  // γ at the known nodes themselves

Temperatures solve_with(const std::vector<double>& nearness, const DirichletProblem& problem,
                        const EnergyOptions& options, Threads& threads) {
  const Graph& graph = problem.graph;
  std::vector<Real> weights(at(graph.arcs()));
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
      const double w = problem.weights.empty() ? 1 : static_cast<double>(problem.weights[at(arc)]);
      const NodeId v = graph.targets()[at(arc)];
      weights[at(arc)] = static_cast<Real>(w * (nearness[at(u)] + nearness[at(v)]) / 2);
    }
  }
  return solve_dirichlet({.graph = graph,
                          .weights = weights,
                          .classes = problem.classes,
                          .known = problem.known,
                          .front = problem.front,
                          .label_scale = problem.label_scale},
                         {.time = FlowOptions::kForever,
                          .solve = {.tolerance = options.tolerance},
                          .laplacian = {.kind = LaplacianKind::random_walk, .self_loop = 0}},
                         threads);
}

}  // namespace

Temperatures solve_wnll(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads) {
  const auto n = static_cast<double>(problem.graph.nodes());
  std::vector<double> nearness(at(problem.graph.nodes()), 1.0);
  for (NodeId u : problem.known.nodes) nearness[at(u)] = n / static_cast<double>(problem.known.nodes.size());
  return solve_with(nearness, problem, options, threads);
}

Temperatures solve_properly_weighted(const DirichletProblem& problem, const EnergyOptions& options,
                                     Threads& threads) {
  std::vector<double> nearness;
  for (NodeId edges : distances_to(problem.graph, problem.known.nodes)) {
    const auto r = static_cast<double>(edges);
    nearness.push_back(edges == kNoPath ? 1 : edges == 0 ? kMostNear : 1 + 1 / (r * r));
  }
  return solve_with(nearness, problem, options, threads);
}

}  // namespace heatfront
