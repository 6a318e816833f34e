// SPDX-License-Identifier: MIT
#include "heatfront/models/logit_model.h"

#include <algorithm>
#include <numeric>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/models/features.h"
#include "heatfront/nn/loss.h"

namespace heatfront {

namespace {

// Judging a part is worth its while where it has at most this share of all nodes.
constexpr double kLargestPart = 0.75;

std::vector<NodeId> split_nodes(const Dataset& dataset) {
  std::vector<NodeId> nodes;
  if (!dataset.split) return nodes;
  const Split& split = *dataset.split;
  for (const auto* part : {&split.train, &split.validation, &split.test, &split.withheld})
    nodes.insert(nodes.end(), part->begin(), part->end());
  return nodes;
}

class LogitsPredictor : public Predictor {
 public:
  LogitsPredictor(const TrainedModel& model, ConstMatrixView front, Threads& threads)
      : graph_(model.data.graph), weights_(model.weights), front_(front), threads_(threads) {}

  void set_front(ConstMatrixView front) override { front_ = front; }

  Answer answer(const KnownLabels& known) override {
    const DirichletProblem problem{.graph = graph_,
                                   .weights = weights_,
                                   .classes = static_cast<ClassId>(front_.cols),
                                   .known = known,
                                   .front = front_};
    Matrix logits = padded_matrix(front_.rows, front_.cols);
    for (std::int64_t u = 0; u < front_.rows; ++u) std::ranges::copy(front_.row(u), logits.row(u).begin());
    return decide_by(problem, std::move(logits), {}, all_nodes(graph_), threads_);
  }

 private:
  Graph graph_;
  std::span<const Real> weights_;
  ConstMatrixView front_;
  Threads& threads_;
};

}  // namespace

LogitModel::LogitModel(const Dataset& dataset, const std::string& features, double input_dropout,
                       std::size_t reach, Threads& threads)
    : dataset_(dataset),
      threads_(threads),
      input_(network_input(features, dataset)),
      known_(training_labels(dataset)),
      step_part_(part_around(known_.nodes, reach)),
      input_dropout_(*step_sight().input, input_dropout),
      step_labels_(dataset.labels),
      label_rows_(known_.nodes),
      step_logits_(padded_matrix(step_sight().rows(0), dataset.classes())),
      d_logits_(step_logits_),
      judge_logits_(padded_matrix(dataset.nodes(), dataset.classes())) {
  const std::vector<NodeId> judged = split_nodes(dataset);
  if (static_cast<double>(judged.size()) <= kLargestPart * static_cast<double>(dataset.nodes())) {
    judge_part_ = part_around(judged, reach);
    part_logits_ = padded_matrix(std::ssize(judged), dataset.classes());
  }
  if (!step_part_) return;
  std::iota(label_rows_.begin(), label_rows_.end(), NodeId(0));
  step_labels_.clear();
  for (NodeId u : known_.nodes) step_labels_.push_back(dataset.labels[at(u)]);
}

std::optional<LogitModel::Part> LogitModel::part_around(std::span<const NodeId> nodes,
                                                        std::size_t reach) const {
  if (reach == kEverywhere) return std::nullopt;
  Neighbourhood field(dataset_.graph, nodes, reach);
  NetworkInput input = input_.of_rows(field.nodes);
  return Part{std::move(field), std::move(input)};
}

LogitModel::Sight LogitModel::sight(const std::optional<Part>& part) const {
  return part ? Sight{&part->field.graph, &part->input, &part->field} : Sight{&dataset_.graph, &input_};
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
  const double loss = cross_entropy(step_logits_, step_labels_, label_rows_, d_logits_, class_weights_);
  backward(parameters, d_logits_, gradient);
  seconds_.backward += watch.seconds();
  return loss;
}

ConstMatrixView LogitModel::judge(std::span<const Real> parameters) {
  if (!judge_part_) return judge_all(parameters);
  if (!judge_) judge_ = inference(sight(judge_part_));
  const Stopwatch watch;
  judge_(parameters, part_logits_);
  for (std::int64_t i = 0; i < part_logits_.rows(); ++i)
    std::ranges::copy(part_logits_.row(i), judge_logits_.row(judge_part_->field.nodes[at(i)]).begin());
  seconds_.judge_network += watch.seconds();
  return judge_logits_;
}

ConstMatrixView LogitModel::judge_all(std::span<const Real> parameters) {
  if (!judge_all_) judge_all_ = inference(sight(std::nullopt));
  const Stopwatch watch;
  judge_all_(parameters, judge_logits_);
  seconds_.judge_network += watch.seconds();
  return judge_logits_;
}

void LogitModel::keep(std::span<const Real> parameters, TrainedModel& model) const {
  model.front = judge_logits_;
  model.known = known_;
  model.weights = dataset_.weights;
  model.network = named_matrices(layout_, parameters);
}

std::unique_ptr<Predictor> logits_predictor(const TrainedModel& model, ConstMatrixView front,
                                            Threads& threads) {
  return std::make_unique<LogitsPredictor>(model, front, threads);
}

}  // namespace heatfront
