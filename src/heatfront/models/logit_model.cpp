// SPDX-License-Identifier: MIT
#include "heatfront/models/logit_model.h"

#include <algorithm>
#include <numeric>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/models/features.h"
#include "heatfront/nn/loss.h"

namespace heatfront {

LogitModel::LogitModel(const Dataset& dataset, const std::string& features, double input_dropout,
                       std::size_t reach, Threads& threads)
    : dataset_(dataset),
      threads_(threads),
      input_(network_input(features, dataset)),
      known_(training_labels(dataset)),
      field_(reach == kEverywhere
                 ? std::nullopt
                 : std::optional<Neighbourhood>(std::in_place, dataset.graph, known_.nodes, reach)),
      field_input_(field_ ? std::optional(input_.of_rows(field_->nodes)) : std::nullopt),
      input_dropout_(field_ ? *field_input_ : input_, input_dropout),
      step_labels_(dataset.labels),
      label_rows_(known_.nodes),
      step_logits_(padded_matrix(step_rows(0), dataset.classes())),
      d_logits_(padded_matrix(step_rows(0), dataset.classes())),
      judge_logits_(padded_matrix(dataset.nodes(), dataset.classes())) {
  if (!field_) return;
  std::iota(label_rows_.begin(), label_rows_.end(), NodeId(0));
  step_labels_.clear();
  for (NodeId u : known_.nodes) step_labels_.push_back(dataset.labels[at(u)]);
}

std::vector<DecayRange> LogitModel::decay(double weight_decay) const {
  std::vector<DecayRange> ranges;
  for (const Parameter& parameter : layout_.parameters()) {
    ranges.push_back(
        {.begin = parameter.offset, .end = parameter.end(), .decay = decays(parameter) ? weight_decay : 0});
  }
  return ranges;
}

double LogitModel::gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) {
  Stopwatch watch;
  forward(parameters, Random(seed), step_logits_);
  seconds_.forward += watch.seconds();

  watch = {};
  std::fill_n(d_logits_.view().data, d_logits_.rows() * d_logits_.stride(), Real(0));
  const double loss = cross_entropy(step_logits_, step_labels_, label_rows_, d_logits_);
  backward(parameters, d_logits_, gradient);
  seconds_.backward += watch.seconds();
  return loss;
}

ConstMatrixView LogitModel::judge(std::span<const Real> parameters) {
  const Stopwatch watch;
  infer(parameters, judge_logits_);
  seconds_.judge_network += watch.seconds();
  return judge_logits_;
}

void LogitModel::keep(std::span<const Real> parameters, TrainedModel& model) const {
  model.front = judge_logits_;
  model.known = known_;
  model.weights = dataset_.weights;
  model.network = named_matrices(layout_, parameters);
}

Answer logits_answer(const TrainedModel& model, ConstMatrixView front, Threads&) {
  const DirichletProblem problem{.graph = model.data.graph,
                                 .weights = model.weights,
                                 .classes = model.data.classes(),
                                 .known = model.known,
                                 .front = front};
  Matrix logits = padded_matrix(front.rows, front.cols);
  for (std::int64_t u = 0; u < front.rows; ++u) std::ranges::copy(front.row(u), logits.row(u).begin());
  return decide_by(problem, std::move(logits), {}, all_nodes(model.data.graph));
}

}  // namespace heatfront
