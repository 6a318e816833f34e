// SPDX-License-Identifier: MIT
#include "heatfront/models/flow_predictor.h"

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

Reasons FlowPredictor::reasons(NodeId u, const KnownLabels& known) {
  const DirichletProblem problem = flow_.problem(known);
  flow_.flow().hold(known.nodes);
  Matrix shares = flow_.flow().shares_of(u, kReasonsTolerance);
  Reasons result;
  for (NodeId v : known.nodes) {
    result.labels.push_back(static_cast<double>(shares(v, 0)) * problem.label_scale);
    shares(v, 0) = 0;
  }
  if (!has_front_) return result;
  result.fronts = std::move(shares);
  const auto row = problem.front.row(u);
  result.own_front.assign(row.begin(), row.end());
  return result;
}

Influence FlowPredictor::influence(std::span<const NodeId> nodes, const KnownLabels& known) {
  flow_.flow().hold(known.nodes);
  Influence result{.heat = flow_.flow().mean_heat_from(nodes, kInfluenceTolerance),
                   .label_scale = flow_.problem(known).label_scale};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    result.unit.push_back(static_cast<double>(result.heat(nodes[i], static_cast<std::int64_t>(i))));
  return result;
}

}  // namespace heatfront
