// SPDX-License-Identifier: MIT
#include "heatfront/flow/calculus.h"

#include <cmath>

#include "heatfront/base/checks.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/graph/weighted_degree.h"

namespace heatfront {
Calculus::Calculus(const Graph& graph, std::span<const Real> weights, const LaplacianOptions& options)
    : graph_(graph), weights_(weights), inverse_root_degree_(at(graph.nodes()), 1) {
  require_weights("weights", weights, graph.arcs());
  if (!(options.self_loop >= 0 && std::isfinite(options.self_loop)))
    fail("self_loop {}: it must be 0 or more, and finite", options.self_loop);
  if (!entry_of(options.kind).by_degree) return;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const double degree = weighted_degree(graph, weights, options.self_loop, u);
    if (degree > 0) inverse_root_degree_[at(u)] = 1 / std::sqrt(degree);
  }
}

double Calculus::root_weight(ArcId arc) const {
  return weights_.empty() ? 1 : std::sqrt(static_cast<double>(weights_[at(arc)]));
}

std::vector<double> Calculus::gradient(std::span<const double> f) const {
  require_count("function of nodes", std::ssize(f), graph_.nodes(), "one per node");
  std::vector<double> result(at(graph_.arcs()));
  for (NodeId u = 0; u < graph_.nodes(); ++u) {
    for (ArcId arc = graph_.begin_of(u); arc < graph_.begin_of(u + 1); ++arc) {
      const std::size_t v = at(graph_.targets()[at(arc)]);
      result[at(arc)] =
          root_weight(arc) * (inverse_root_degree_[v] * f[v] - inverse_root_degree_[at(u)] * f[at(u)]);
    }
  }
  return result;
}

std::vector<double> Calculus::divergence(std::span<const double> flow) const {
  require_count("function of arcs", std::ssize(flow), graph_.arcs(), "one per arc");
  const std::vector<ArcId> reverse = reverse_arcs(graph_);
  std::vector<double> result(at(graph_.nodes()));
  for (NodeId u = 0; u < graph_.nodes(); ++u) {
    for (ArcId arc = graph_.begin_of(u); arc < graph_.begin_of(u + 1); ++arc) {
      result[at(u)] +=
          root_weight(arc) * inverse_root_degree_[at(u)] * (flow[at(arc)] - flow[at(reverse[at(arc)])]);
    }
  }
  return result;
}

std::vector<double> Calculus::gradient_norm(std::span<const double> f) const {
  const std::vector<double> slopes = gradient(f);
  std::vector<double> result(at(graph_.nodes()));
  for (NodeId u = 0; u < graph_.nodes(); ++u) {
    double sum = 0;
    for (ArcId arc = graph_.begin_of(u); arc < graph_.begin_of(u + 1); ++arc)
      sum += slopes[at(arc)] * slopes[at(arc)];
    result[at(u)] = std::sqrt(sum);
  }
  return result;
}

double Calculus::dirichlet_energy(std::span<const double> f) const {
  double sum = 0;
  for (double slope : gradient(f)) sum += slope * slope;
  return sum / 2;
}

double Calculus::dirichlet_energy(ConstMatrixView f) const {
  double sum = 0;
  std::vector<double> column(at(f.rows));
  for (std::int64_t c = 0; c < f.cols; ++c) {
    for (std::int64_t u = 0; u < f.rows; ++u) column[at(u)] = static_cast<double>(f(u, c));
    sum += dirichlet_energy(column);
  }
  return sum;
}

}  // namespace heatfront
