// SPDX-License-Identifier: MIT
#include "heatfront/models/heat_front.h"

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/graph/reverse_arcs.h"
#include "heatfront/models/features.h"
#include "heatfront/models/flow_predictor.h"
#include "heatfront/nn/loss.h"

namespace heatfront {
namespace {

constexpr std::uint64_t kNetworkPart = 0, kWeightsPart = 1;  // of the seed

// Nobody asks how exact a flow is while training.
FlowOptions for_training(FlowOptions options) {
  options.solve.certify = false;
  return options;
}

}  // namespace

HeatFront::Way::Way(const Dataset& dataset, std::span<const Real> weights, const FlowOptions& options,
                    Threads& threads)
    : flow(dataset.graph, weights, for_training(options), threads),
      front(padded_matrix(dataset.nodes(), dataset.classes())),
      temperatures(padded_matrix(dataset.nodes(), dataset.classes())) {}

HeatFront::HeatFront(const Dataset& dataset, const HeatFrontOptions& options, Threads& threads)
    : dataset_(dataset),
      options_(checked(options, "heat-front")),
      threads_(threads),
      input_(network_input(options.features, dataset)),
      network_(input_.cols(), dataset.classes(), options.network, layout_),
      weighting_(make_edge_weighting(options, dataset, layout_, threads)),
      reverse_(weighting_->learns() ? reverse_arcs(dataset.graph) : std::vector<ArcId>()),
      known_(training_labels(dataset)),
      entry_(spread_matrix(dataset.nodes(), network_.entry_width())),
      step_(dataset, weighting_->weights(), options.free_flow(), threads),
      step_work_(network_.step_workspace(dataset.nodes())),
      d_temperatures_(padded_matrix(dataset.nodes(), dataset.classes())),
      d_front_(padded_matrix(dataset.nodes(), dataset.classes())),
      d_operator_(weighting_->learns() ? step_.flow.zero_gradient() : OperatorGradient{}),
      judge_(dataset, weighting_->weights(), options.clamped_flow(), threads),
      judge_work_(network_.judge_workspace(dataset.nodes())) {
  judge_.flow.hold(known_.nodes);
  trace_.for_operator = weighting_->learns();
}

std::vector<DecayRange> HeatFront::decay(double weight_decay) const {
  return {{.begin = 0, .end = layout_.size(), .decay = weight_decay}};
}

void HeatFront::initialise(std::uint64_t seed, std::span<Real> parameters) const {
  network_.initialise(Random(seed).part(kNetworkPart), parameters);
  weighting_->initialise(Random(seed).part(kWeightsPart), parameters);
}

void HeatFront::prepare(std::span<const Real> parameters) {
  const Stopwatch watch;
  if (weighting_->learns()) {
    weighting_->prepare(parameters);
    step_.flow.set_weights(weighting_->weights());
    judge_.flow.set_weights(weighting_->weights());
  }
  network_.enter(input_, parameters, entry_, threads_);
  shared_seconds_ += watch.seconds();
}

double HeatFront::gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) {
  Stopwatch watch;
  network_.forward(entry_, parameters, seed, step_work_, step_.front, threads_);
  step_.network_seconds += watch.seconds();

  watch = {};
  copy(step_.front, step_.temperatures, threads_);
  step_.products += step_.flow.forward(step_.temperatures, &trace_).products;
  const double loss =
      cross_entropy(step_.temperatures, dataset_.labels, known_.nodes, d_temperatures_, class_weights_);
  copy(d_temperatures_, d_front_, threads_);
  step_.products +=
      step_.flow.backward(trace_, d_front_, weighting_->learns() ? &d_operator_ : nullptr).products;
  if (weighting_->learns()) weight_gradient(parameters, gradient);
  step_.flow_seconds += watch.seconds();

  watch = {};
  network_.backward(input_, parameters, step_work_, d_front_, gradient, threads_);
  backward_seconds_ += watch.seconds();
  return loss;
}

void HeatFront::weight_gradient(std::span<const Real> parameters, std::span<Real> gradient) {
  step_.flow.weight_gradient(d_operator_, step_.front, d_front_, step_.temperatures, d_temperatures_,
                             reverse_, d_weights_);
  weighting_->backward(parameters, d_weights_.edges, gradient);
}

ConstMatrixView HeatFront::judge(std::span<const Real> parameters) {
  Stopwatch watch;
  network_.judge(entry_, parameters, judge_work_, judge_.front, threads_);
  judge_.network_seconds += watch.seconds();

  watch = {};
  const DirichletProblem problem{.graph = dataset_.graph,
                                 .weights = weighting_->weights(),
                                 .classes = dataset_.classes(),
                                 .known = known_,
                                 .label_scale = options_.label_scale};
  copy(judge_.front, judge_.temperatures, threads_);
  set_known(problem, judge_.temperatures);
  judge_.products += judge_.flow.forward(judge_.temperatures).products;
  judge_.flow_seconds += watch.seconds();
  return judge_.temperatures;
}

void HeatFront::keep(std::span<const Real> parameters, TrainedModel& model) const {
  model.front = judge_.front;
  model.known = known_;
  model.network = named_matrices(layout_, parameters);
  weighting_->keep(parameters, model);
}

ModelSeconds HeatFront::seconds() const {
  return {.shared = shared_seconds_,
          .forward = step_.network_seconds,
          .flow = step_.flow_seconds,
          .backward = backward_seconds_,
          .judge_network = judge_.network_seconds,
          .judge_flow = judge_.flow_seconds};
}

std::unique_ptr<Predictor> heat_front_predictor(const TrainedModel& model, ConstMatrixView front,
                                                Threads& threads) {
  const HeatFrontOptions options = model.heat_front_options();
  return std::make_unique<FlowPredictor>(DirichletProblem{.graph = model.data.graph,
                                                          .weights = model.weights,
                                                          .classes = static_cast<ClassId>(front.cols),
                                                          .known = model.known,
                                                          .front = front,
                                                          .label_scale = options.label_scale},
                                         options.clamped_flow(), threads);
}

}  // namespace heatfront
