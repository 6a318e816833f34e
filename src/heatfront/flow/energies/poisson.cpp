// SPDX-License-Identifier: MIT
#include "heatfront/flow/energies/poisson.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/graph/components.h"
#include "heatfront/solve/conjugate_gradient.h"

namespace heatfront {
namespace {

// ȳ of each component, and whether its labels differ.
struct LabelMeans {
  std::vector<std::vector<double>> mean;  // empty: no label
  std::vector<bool> differ;
};

LabelMeans means_of(const DirichletProblem& problem, const Components& components) {
  LabelMeans result{.mean = std::vector<std::vector<double>>(at(components.count())),
                    .differ = std::vector<bool>(at(components.count()))};
  std::vector<double> counts(at(components.count()));
  for (std::size_t i = 0; i < problem.known.nodes.size(); ++i) {
    const std::size_t k = at(components.of[at(problem.known.nodes[i])]);
    result.mean[k].resize(at(problem.classes));
    result.mean[k][at(problem.known.classes[i])] += problem.label_scale;
    ++counts[k];
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    for (double& share : result.mean[k]) share /= counts[k];
    result.differ[k] = std::ranges::count_if(result.mean[k], [](double share) { return share != 0; }) > 1;
  }
  return result;
}

}  // namespace

Temperatures solve_poisson(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads) {
  const Stopwatch watch;
  const Graph& graph = problem.graph;
  const Laplacian laplacian(graph, problem.weights, {.kind = LaplacianKind::combinatorial, .self_loop = 0}, 1,
                            threads);
  const Components components = connected_components(graph, problem.weights);
  const LabelMeans means = means_of(problem, components);
  Matrix f = padded_matrix(graph.nodes(), problem.classes),
         residual = padded_matrix(graph.nodes(), problem.classes);
  for (std::int64_t u = 0; u < problem.front.rows; ++u)
    std::ranges::copy(problem.front.row(u), f.row(u).begin());
  laplacian.apply({}, f, residual, {});  // −L f; the sources come to it
  Matrix sources = padded_matrix(graph.nodes(), problem.classes);
  for (std::size_t i = 0; i < problem.known.nodes.size(); ++i) {
    const NodeId v = problem.known.nodes[i];
    const std::vector<double>& mean = means.mean[at(components.of[at(v)])];
    for (std::size_t c = 0; c < mean.size(); ++c) {
      const double label = at(problem.known.classes[i]) == c ? problem.label_scale : 0;
      sources.row(v)[c] = static_cast<Real>(label - mean[c]);
    }
  }
  add_scaled(1, sources, residual, threads);
  std::vector<double> targets = column_norms(laplacian, sources);
  for (double& target : targets) target *= options.tolerance;
  ConjugateGradient solver(laplacian, 0, 1);
  const ConjugateGradient::Report done = solver.solve(residual, f, targets);

  // Σ d f = 0 in every component.
  std::vector<double> mass(at(components.count()));
  std::vector<std::vector<double>> total(at(components.count()), std::vector<double>(at(problem.classes)));
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const std::size_t k = at(components.of[at(u)]);
    const auto degree = static_cast<double>(laplacian.degrees()[at(u)]);
    mass[k] += degree;
    for (std::size_t c = 0; c < total[k].size(); ++c)
      total[k][c] += degree * static_cast<double>(f.row(u)[c]);
  }
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const std::size_t k = at(components.of[at(u)]);
    for (std::size_t c = 0; c < total[k].size() && !means.mean[k].empty(); ++c) {
      const double value =
          means.differ[k] ? static_cast<double>(f.row(u)[c]) - total[k][c] / mass[k] : means.mean[k][c];
      f.row(u)[c] = static_cast<Real>(value);
    }
  }
  const std::vector<double> left = column_norms(laplacian, residual),
                            scales = column_norms(laplacian, sources);
  return {.values = std::move(f),
          .report = {.products = done.products + 1,
                     .residual = worst_ratio(left, scales),
                     .reached = done.reached,
                     .seconds = watch.seconds()},
          .column_errors = std::vector<double>(at(problem.classes))};
}

}  // namespace heatfront
