// SPDX-License-Identifier: MIT
#include "heatfront/models/flow_predictor.h"

#include <numeric>
#include <utility>

namespace heatfront {
namespace {

constexpr double kReasonsTolerance = 1e-6, kInfluenceTolerance = 1e-4;

}  // namespace

FlowPredictor::FlowPredictor(const DirichletProblem& problem, const FlowOptions& options, Threads& threads)
    : flow_(problem, options, threads), has_front_(problem.front.rows > 0) {}

void FlowPredictor::set_front(ConstMatrixView front) {
  flow_.set_front(has_front_ ? front : ConstMatrixView{}, static_cast<ClassId>(front.cols));
}

std::vector<double> FlowPredictor::mass_factors(const KnownLabels& known) {
  const DirichletProblem problem = flow_.problem(known);
  if (!flow_.gives_class_masses()) return std::vector<double>(at(problem.classes), 1.0);
  return class_mass_factors(solve_dirichlet(problem, flow_.flow()).values, known,
                            labelled_prior(known, problem.classes));
}

std::vector<Reasons> FlowPredictor::reasons(std::span<const NodeId> nodes, const KnownLabels& known) {
  const DirichletProblem problem = flow_.problem(known);
  const std::vector<double> factors = mass_factors(known);
  flow_.flow().hold(known.nodes);
  Matrix shares = flow_.flow().shares_of(nodes, kReasonsTolerance);
  std::vector<Reasons> result(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto column = static_cast<std::int64_t>(i);
    for (std::size_t j = 0; j < known.nodes.size(); ++j) {
      const NodeId v = known.nodes[j];
      const double factor = v == nodes[i] ? 1 : factors[at(known.classes[j])];
      result[i].labels.push_back(static_cast<double>(shares(v, column)) * problem.label_scale * factor);
      shares(v, column) = 0;
    }
    if (!has_front_) continue;
    result[i].fronts = Matrix(shares.rows(), 1);
    for (std::int64_t v = 0; v < shares.rows(); ++v) result[i].fronts(v, 0) = shares(v, column);
    const auto row = problem.front.row(nodes[i]);
    result[i].own_front.assign(row.begin(), row.end());
  }
  return result;
}

Influence FlowPredictor::influence(std::span<const NodeId> nodes, const KnownLabels& known) {
  const std::vector<double> factors = mass_factors(known);
  const double factor =
      std::accumulate(factors.begin(), factors.end(), 0.0) / static_cast<double>(factors.size());
  flow_.flow().hold(known.nodes);
  Influence result{.heat = flow_.flow().mean_heat_from(nodes, kInfluenceTolerance),
                   .label_scale = flow_.problem(known).label_scale * factor};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    result.unit.push_back(static_cast<double>(result.heat(nodes[i], static_cast<std::int64_t>(i))));
  return result;
}

}  // namespace heatfront
