// SPDX-License-Identifier: MIT
#include "heatfront/flow/energies/clamped_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heatfront/base/stopwatch.h"
#include "heatfront/flow/decide.h"

namespace heatfront {
namespace {

constexpr std::int64_t kMostSettling = 20'000;

// image ← B x at the free nodes, 0 elsewhere.
void differences(const ClampedGraph& graph, const std::vector<double>& h, const std::vector<double>& x,
                 std::vector<double>& image) {
  std::ranges::fill(image, 0.0);
  for (std::size_t e = 0; e < h.size(); ++e) {
    const double flux = h[e] * (x[graph.from[e]] - x[graph.to[e]]);
    image[graph.from[e]] += flux;
    image[graph.to[e]] -= flux;
  }
  for (std::size_t u = 0; u < image.size(); ++u) {
    if (!graph.is_free(u)) image[u] = 0;
  }
}

double inner(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t u = 0; u < x.size(); ++u) sum += x[u] * y[u];
  return sum;
}

}  // namespace

ClampedGraph::ClampedGraph(const DirichletProblem& problem) {
  const Graph& graph = problem.graph;
  const std::vector<bool> reached = reached_from(graph, problem.weights, problem.known.nodes);
  for (bool met : reached) role.push_back(met ? NodeRole::free : NodeRole::absent);
  for (NodeId u : problem.known.nodes) role[at(u)] = NodeRole::held;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
      const NodeId v = graph.targets()[at(arc)];
      const double weight = problem.weights.empty() ? 1 : static_cast<double>(problem.weights[at(arc)]);
      if (v <= u || !reached[at(u)] || weight == 0) continue;
      from.push_back(at(u));
      to.push_back(at(v));
      weights.push_back(weight);
    }
  }
}

Temperatures solve_columns(const DirichletProblem& problem, Threads& threads, const SolveColumn& solve) {
  const Stopwatch watch;
  Temperatures result{.values = starting_state(problem, threads),
                      .report = {.error_estimate = 0, .residual = 0},
                      .column_errors = std::vector<double>(at(problem.classes))};
  std::vector<ColumnReport> reports(at(problem.classes));
  threads.for_blocks(problem.classes, 1, [&](std::int64_t c, std::int64_t) {
    std::vector<double> column(at(result.values.rows()));
    for (std::size_t u = 0; u < column.size(); ++u)
      column[u] = static_cast<double>(result.values(static_cast<std::int64_t>(u), c));
    reports[at(c)] = solve(column);
    for (std::size_t u = 0; u < column.size(); ++u)
      result.values(static_cast<std::int64_t>(u), c) = static_cast<Real>(column[u]);
  });
  for (std::size_t c = 0; c < reports.size(); ++c) {
    result.column_errors[c] = reports[c].error;
    result.report.products += reports[c].steps;
    result.report.error_estimate = std::max(result.report.error_estimate, reports[c].error);
    result.report.residual = std::max(result.report.residual, reports[c].gap);
    result.report.reached = result.report.reached && reports[c].reached;
  }
  result.report.seconds = watch.seconds();
  return result;
}

std::int64_t settle(const ClampedGraph& graph, const std::vector<double>& h, double tolerance,
                    std::vector<double>& x) {
  const std::size_t n = graph.nodes();
  std::vector<double> diagonal(n), residual(n), turned(n), direction(n), image(n), sources(n);
  for (std::size_t e = 0; e < h.size(); ++e) {
    diagonal[graph.from[e]] += h[e];
    diagonal[graph.to[e]] += h[e];
  }
  for (std::size_t u = 0; u < n; ++u) sources[u] = graph.role[u] == NodeRole::held ? x[u] : 0;
  const auto norm =
      [&](const std::vector<double>& r) {  // by the diagonal: how far nodes are from their means
        double sum = 0;
        for (std::size_t u = 0; u < n; ++u) sum += diagonal[u] > 0 ? r[u] * r[u] / diagonal[u] : 0;
        return std::sqrt(sum);
      };
  differences(graph, h, sources, image);
  const double target = tolerance * norm(image);
  differences(graph, h, x, residual);
  for (double& r : residual) r = -r;
  double now = 0;
  std::int64_t products = 2;
  for (; products < kMostSettling; ++products) {
    if (!(norm(residual) > target)) break;
    for (std::size_t u = 0; u < n; ++u) turned[u] = diagonal[u] > 0 ? residual[u] / diagonal[u] : 0;
    const double before = std::exchange(now, inner(residual, turned));
    for (std::size_t u = 0; u < n; ++u)
      direction[u] = turned[u] + (before > 0 ? now / before * direction[u] : 0);
    differences(graph, h, direction, image);
    const double curvature = inner(direction, image);
    if (!(curvature > 0)) break;
    for (std::size_t u = 0; u < n; ++u) {
      x[u] += now / curvature * direction[u];
      residual[u] -= now / curvature * image[u];
    }
  }
  return products;
}

}  // namespace heatfront
