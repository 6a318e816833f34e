// SPDX-License-Identifier: MIT
#include "heatfront/flow/energies/total_variation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heatfront/flow/energies/clamped_graph.h"

namespace heatfront {
namespace {

constexpr std::int64_t kStepsBetweenGaps = 20;

class VariationColumn {
 public:
  VariationColumn(const ClampedGraph& graph, const EnergyOptions& options)
      : graph_(graph), options_(options), strengths_(graph.nodes()) {
    for (std::size_t e = 0; e < graph.weights.size(); ++e) {
      strengths_[graph.from[e]] += graph.weights[e];
      strengths_[graph.to[e]] += graph.weights[e];
    }
  }

  ColumnReport solve(std::vector<double>& f) const {
    const std::size_t n = f.size(), edges = graph_.weights.size();
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t u = 0; u < n; ++u) {
      if (graph_.role[u] != NodeRole::held) continue;
      least = std::min(least, f[u]);
      most = std::max(most, f[u]);
    }
    for (std::size_t u = 0; u < n; ++u) {
      if (graph_.is_free(u)) f[u] = std::clamp(f[u], least, most);
    }
    const double range = most > least ? most - least : 1;
    ColumnReport report{.gap = 0, .reached = false};
    std::vector<double> ahead = f, q(edges), divergence(n);
    while (report.steps < options_.steps) {
      for (std::size_t e = 0; e < edges; ++e) {
        const double w = graph_.weights[e];
        q[e] = std::clamp(q[e] + w * (ahead[graph_.from[e]] - ahead[graph_.to[e]]) / (2 * range), -w, w);
      }
      find_divergence(q, divergence);
      for (std::size_t u = 0; u < n; ++u) {
        if (!graph_.is_free(u)) continue;
        const double before = f[u];
        f[u] = std::clamp(before - range * divergence[u] / strengths_[u], least, most);
        ahead[u] = 2 * f[u] - before;
      }
      ++report.steps;
      if (report.steps % kStepsBetweenGaps != 0) continue;
      const double energy = energy_of(f);
      double bound = 0;
      for (std::size_t u = 0; u < n; ++u) {
        if (graph_.role[u] == NodeRole::held) bound += f[u] * divergence[u];
        if (graph_.is_free(u)) bound += std::min(least * divergence[u], most * divergence[u]);
      }
      report.gap = energy > 0 ? (energy - bound) / energy : 0;
      report.reached = report.gap <= options_.tolerance;
      if (report.reached) break;
    }
    report.gap = std::max(0.0, report.gap);
    return report;
  }

 private:
  void find_divergence(const std::vector<double>& q, std::vector<double>& divergence) const {
    std::ranges::fill(divergence, 0.0);
    for (std::size_t e = 0; e < q.size(); ++e) {
      divergence[graph_.from[e]] += q[e];
      divergence[graph_.to[e]] -= q[e];
    }
  }

  double energy_of(const std::vector<double>& f) const {
    double sum = 0;
    for (std::size_t e = 0; e < graph_.weights.size(); ++e)
      sum += graph_.weights[e] * std::abs(f[graph_.from[e]] - f[graph_.to[e]]);
    return sum;
  }

  const ClampedGraph& graph_;
  const EnergyOptions& options_;
  std::vector<double> strengths_;  // Σ w of the edges of a node
};

}  // namespace

Temperatures solve_total_variation(const DirichletProblem& problem, const EnergyOptions& options,
                                   Threads& threads) {
  const ClampedGraph graph(problem);
  const VariationColumn column(graph, options);
  return solve_columns(problem, threads, [&](std::vector<double>& f) { return column.solve(f); });
}

}  // namespace heatfront
