// SPDX-License-Identifier: MIT
#include "heatfront/models/monet.h"

#include <fmt/core.h>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/features.h"
#include "heatfront/nn/activation.h"

namespace heatfront {
namespace {

constexpr double kMostKernels = 1000;

}  // namespace

OptionFields fields(MonetOptions& options) {
  return {{"hidden", &options.hidden, "Widths of the hidden layers", from_to(1, kMostUnits)},
          {"kernels", &options.kernels, "Gaussian kernels of every layer", from_to(1, kMostKernels)},
          {"aggregate", &options.aggregate, "How the values of a node's neighbours and its own are combined",
           one_of({{"sum"}, {"mean"}})},
          {"dropout", &options.dropout, "Share of every hidden layer dropped in a training step",
           from_to_below(0, 1)},
          {"input_dropout", &options.input_dropout, "Share of the features dropped in a training step",
           from_to_below(0, 1)},
          features_field(options.features)};
}

Monet::Monet(const Dataset& dataset, const MonetOptions& options, Threads& threads)
    : LogitModel(dataset, checked(options, "monet").features, options.input_dropout,
                 options.hidden.size() + 1, threads),
      dropout_(options.dropout),
      pairs_(dataset.graph),
      step_pairs_(pairs_of(step_sight())) {
  std::int64_t in = input_.cols();
  for (std::size_t k = 0; k <= options.hidden.size(); ++k) {
    const bool last = k == options.hidden.size();
    const std::string name = fmt::format("layer{}", k + 1);
    const std::int64_t width = last ? dataset.classes() : options.hidden[k];
    Linear linear(name, in, options.kernels * width, Bias::no, layout_);
    GaussianMixture mixture(pairs_,
                            {.kernels = options.kernels, .width = width, .mean = options.aggregate == "mean"},
                            name, layout_);
    GaussianMixture::Weights weights = mixture.weights();
    layers_.push_back({linear, mixture, layout_.add(name + ".bias", 1, width), std::move(weights)});
    in = width;
  }
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    step_.push_back(pass(k, step_sight()));
    step_work_.push_back(layers_[k].mixture.step_workspace(step_pairs_, step_sight().rows_into(k)));
    if (!is_last(k)) dropped_.push_back(step_[k].state);
  }
  d_ = step_;
}

Monet::Pass Monet::pass(std::size_t k, const Sight& sight) const {
  return {padded_matrix(sight.rows_into(k), layers_[k].linear.out()),
          padded_matrix(sight.rows_into(k + 1), layers_[k].bias.cols)};
}

DegreePairs Monet::pairs_of(const Sight& sight) const {
  return sight.field ? DegreePairs(pairs_, dataset_.graph, *sight.field) : pairs_;
}

void Monet::initialise(std::uint64_t seed, std::span<Real> parameters) const {
  const Random random(seed);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    layers_[k].linear.initialise(Initialiser::glorot, random, part_of(k, 0), parameters);
    layers_[k].mixture.initialise(random.part(part_of(k, 2)), parameters);
  }
}

void Monet::prepare(std::span<const Real> parameters) {
  for (Layer& layer : layers_) layer.mixture.weigh(parameters, layer.weights, threads_);
}

LogitModel::Inference Monet::inference(const Sight& sight) {
  std::vector<Pass> passes;
  std::vector<GaussianMixture::JudgeWorkspace> works;
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    passes.push_back(pass(k, sight));
    works.push_back(layers_[k].mixture.judge_workspace(sight.rows_into(k)));
  }
  return [this, sight, pairs = pairs_of(sight), passes = std::move(passes), works = std::move(works)](
             std::span<const Real> parameters, MatrixView logits) mutable {
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const Layer& layer = layers_[k];
      Pass& pass = passes[k];
      const MatrixView out = is_last(k) ? logits : pass.state.view();
      const InputView x = k == 0 ? sight.input->view() : passes[k - 1].state.view();
      layer.linear.forward(x, parameters, pass.product, threads_);
      layer.mixture.judge({*sight.graph, pairs}, pass.product, layer.weights, works[k], out, threads_);
      add_to_rows(layer.bias.in(parameters).row(0), out);
      if (!is_last(k)) activate(Activation::relu, out, out, threads_);
    }
  };
}

void Monet::forward(std::span<const Real> parameters, const Random& random, MatrixView logits) {
  step_random_ = random;
  input_dropout_.draw(random.part(kInputPart), threads_);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const Layer& layer = layers_[k];
    Pass& pass = step_[k];
    const MatrixView out = is_last(k) ? logits : pass.state.view();
    const InputView x = k == 0 ? input_dropout_.drawn() : dropped_[k - 1].view();
    layer.linear.forward(x, parameters, pass.product, threads_);
    layer.mixture.forward(step_slots(), pass.product, layer.weights, step_work_[k], out, threads_);
    add_to_rows(layer.bias.in(parameters).row(0), out);
    if (is_last(k)) break;
    activate(Activation::relu, out, out, threads_);
    drop(dropout_, random.part(k + 1), out, dropped_[k], threads_);
  }
}

void Monet::backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) {
  for (std::size_t k = layers_.size(); k-- > 0;) {
    const Layer& layer = layers_[k];
    const MatrixView d_out = is_last(k) ? d_logits : d_[k].state.view(), d_product = d_[k].product;
    column_sums(d_out, layer.bias.in(gradient), threads_);
    layer.mixture.backward(step_slots(), step_[k].product, layer.weights, parameters, d_out, step_work_[k],
                           d_product, gradient, threads_);
    layer.linear.backward(k == 0 ? input_dropout_.drawn() : dropped_[k - 1].view(), d_product, gradient,
                          threads_);
    if (k == 0) break;
    const MatrixView d_state = d_[k - 1].state;
    layer.linear.backward_input(d_product, parameters, d_state, threads_);
    drop(dropout_, step_random_.part(k), d_state, d_state, threads_);
    activate_backward(Activation::relu, step_[k - 1].state, d_state, threads_);
  }
}

}  // namespace heatfront
