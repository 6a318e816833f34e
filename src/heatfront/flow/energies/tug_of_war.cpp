// SPDX-License-Identifier: MIT
#include "heatfront/flow/energies/tug_of_war.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heatfront/flow/energies/clamped_graph.h"
#include "heatfront/graph/components.h"

namespace heatfront {
namespace {

class TugColumn {
 public:
  TugColumn(const DirichletProblem& problem, double p, const EnergyOptions& options)
      : problem_(problem),
        share_of_mean_(std::isinf(p) ? 0 : 1 / (p - 1)),
        options_(options),
        graph_(problem) {
    const std::vector<NodeId> away = distances_to(problem.graph, problem.known.nodes);
    for (NodeId u = 0; u < problem.graph.nodes(); ++u) {
      if (graph_.is_free(at(u))) order_.push_back(u);
    }
    std::ranges::stable_sort(order_, {}, [&](NodeId u) { return away[at(u)]; });
  }

  ColumnReport solve(std::vector<double>& f) const {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (NodeId u : problem_.known.nodes) {
      least = std::min(least, f[at(u)]);
      most = std::max(most, f[at(u)]);
    }
    std::vector<double> low = f, high = f;
    for (NodeId u : order_) {
      low[at(u)] = least;
      high[at(u)] = most;
    }
    const double range = most > least ? most - least : 1;
    ColumnReport report{.gap = std::numeric_limits<double>::quiet_NaN(), .reached = false};
    while (report.steps < options_.steps && !report.reached) {
      for (std::size_t i = 0; i < order_.size(); ++i) {
        const NodeId u = report.steps % 2 == 0 ? order_[i] : order_[order_.size() - 1 - i];
        low[at(u)] = std::max(low[at(u)], value_at(u, low));
        high[at(u)] = std::min(high[at(u)], value_at(u, high));
      }
      ++report.steps;
      report.error = 0;
      for (NodeId u : order_) report.error = std::max(report.error, (high[at(u)] - low[at(u)]) / 2);
      report.reached = report.error <= options_.tolerance * range;
    }
    for (NodeId u : order_) f[at(u)] = (low[at(u)] + high[at(u)]) / 2;
    return report;
  }

 private:
  double value_at(NodeId u, const std::vector<double>& f) const {
    double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0, weight = 0;
    for (ArcId arc = problem_.graph.begin_of(u); arc < problem_.graph.begin_of(u + 1); ++arc) {
      const double w = problem_.weights.empty() ? 1 : static_cast<double>(problem_.weights[at(arc)]);
      if (w == 0) continue;
      const double x = f[at(problem_.graph.targets()[at(arc)])];
      least = std::min(least, x);
      most = std::max(most, x);
      sum += w * x;
      weight += w;
    }
    return share_of_mean_ * sum / weight + (1 - share_of_mean_) * (least + most) / 2;
  }

  const DirichletProblem& problem_;
  double share_of_mean_;  // α
  const EnergyOptions& options_;
  ClampedGraph graph_;
  std::vector<NodeId> order_;  // of the free nodes, the nearest to a label first
};

Temperatures solve_at(double p, const DirichletProblem& problem, const EnergyOptions& options,
                      Threads& threads) {
  const TugColumn column(problem, p, options);
  return solve_columns(problem, threads, [&](std::vector<double>& f) { return column.solve(f); });
}

}  // namespace

Temperatures solve_tug_of_war(const DirichletProblem& problem, const EnergyOptions& options,
                              Threads& threads) {
  return solve_at(options.p, problem, options, threads);
}

Temperatures solve_amle(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads) {
  return solve_at(std::numeric_limits<double>::infinity(), problem, options, threads);
}

}  // namespace heatfront
