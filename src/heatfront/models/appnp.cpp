// SPDX-License-Identifier: MIT
#include "heatfront/models/appnp.h"

#include "heatfront/base/linear_algebra.h"

namespace heatfront {

OptionFields fields(AppnpOptions& options) {
  return joined(fields(options.network),
                {{"steps", &options.steps, "How often predictions are spread", from_to(0, kMostSpreads)},
                 {"teleport", &options.teleport, "How much of the network's own logits each step brings back",
                  from_to(0, 1)},
                 {"self_loop", &options.self_loop, "Weight of the loop on every node", at_least(0)}});
}

Appnp::Appnp(const Dataset& dataset, const AppnpOptions& options, Threads& threads)
    : MlpModel(dataset, checked(options, "appnp").network, kEverywhere, threads),
      stay_(1 - options.teleport),
      steps_(options.steps),
      step_(dataset.graph, dataset.weights, Normalisation::symmetric, options.self_loop, threads),
      judge_(dataset.graph, dataset.weights, Normalisation::symmetric, options.self_loop, threads),
      step_start_(padded_matrix(dataset.nodes(), dataset.classes())),
      judge_start_(padded_matrix(dataset.nodes(), dataset.classes())) {}

LogitModel::Inference Appnp::inference(const Sight& sight) {
  return [this, network = MlpModel::inference(sight)](std::span<const Real> parameters, MatrixView logits) {
    network(parameters, judge_start_);
    judge_.spread(stay_, steps_, judge_start_, logits);
  };
}

void Appnp::forward(std::span<const Real> parameters, const Random& random, MatrixView logits) {
  MlpModel::forward(parameters, random, step_start_);
  step_.spread(stay_, steps_, step_start_, logits);
}

void Appnp::backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) {
  step_.spread(stay_, steps_, d_logits, step_start_);
  MlpModel::backward(parameters, step_start_, gradient);
}

bool Appnp::decays(const Parameter& parameter) const { return parameter.name == "layer1.weight"; }

}  // namespace heatfront
