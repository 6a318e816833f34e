// SPDX-License-Identifier: MIT
#include "heatfront/models/cgnn.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/features.h"
#include "heatfront/nn/activation.h"
#include "heatfront/nn/mixing.h"

namespace heatfront {
namespace {

constexpr std::uint64_t kStatePart = 1;                      // of what is random in a step
constexpr std::uint64_t kEncoderPart = 0, kDecoderPart = 2;  // of the seed

LatentFlowOptions flow_options(const CgnnOptions& options) {
  return {.time = options.time,
          .self_loop = options.self_loop,
          .tolerance = options.tolerance,
          .mixing = options.mixing,
          .source_gradient = options.source_gradient};
}

}  // namespace

OptionFields fields(CgnnOptions& options) {
  return {{"width", &options.width, "Width of the latent state", from_to(1, kMostUnits)},
          {"input_dropout", &options.input_dropout, "Share of the features dropped in a training step",
           from_to_below(0, 1)},
          {"dropout", &options.dropout, "Share of the latent state dropped before it is decoded",
           from_to_below(0, 1)},
          features_field(options.features),
          {"time", &options.time, "How long the latent state flows", at_least(0)},
          {"self_loop", &options.self_loop, "Weight of the loop on every node", at_least(0)},
          {"alpha", &options.alpha, "Where the learned speeds of the nodes begin: sigmoid(alpha) / 2"},
          {"mixing", &options.mixing, "Learn how the columns of the latent state mix"},
          {"source_gradient", &options.source_gradient,
           "Let gradients through the source of the flow too, which the authors take for a constant"},
          {"tolerance", &options.tolerance, "Error of the flow, relative to what its start can grow to",
           above(0)}};
}

Cgnn::Cgnn(const Dataset& dataset, const CgnnOptions& options, Threads& threads)
    : LogitModel(dataset, checked(options, "cgnn").features, options.input_dropout, kEverywhere, threads),
      first_alpha_(options.alpha),
      dropout_(options.dropout),
      encoder_("encoder", input_.cols(), options.width, Bias::yes, layout_),
      decoder_("decoder", options.width, dataset.classes(), Bias::yes, layout_),
      alpha_(layout_.add("alpha", 1, dataset.nodes())),
      vectors_(options.mixing ? layout_.add("mixing.vectors", options.width, options.width) : Parameter{}),
      values_(options.mixing ? layout_.add("mixing.values", 1, options.width) : Parameter{}),
      flow_(dataset.graph, dataset.weights, options.width, flow_options(options), threads),
      mixing_(static_cast<std::size_t>(vectors_.rows * vectors_.cols)),
      d_mixing_(mixing_.size()),
      step_{padded_matrix(dataset.nodes(), options.width), padded_matrix(dataset.nodes(), options.width)},
      judge_(step_),
      step_work_(flow_.workspace()),
      dropped_(drops() ? step_.end : Matrix()),
      d_state_(step_.end) {}

void Cgnn::initialise(std::uint64_t seed, std::span<Real> parameters) const {
  encoder_.initialise(Initialiser::kaiming, Random(seed), kEncoderPart, parameters);
  decoder_.initialise(Initialiser::kaiming, Random(seed), kDecoderPart, parameters);
  std::ranges::fill(alpha_.in(parameters).row(0), static_cast<Real>(first_alpha_));
  for (std::int64_t j = 0; j < vectors_.cols; ++j) {
    vectors_.in(parameters)(j, j) = 1;
    values_.in(parameters)(0, j) = 1;
  }
}

void Cgnn::prepare(std::span<const Real> parameters) {
  if (mixes()) mixing(vectors_.in(parameters), values_.in(parameters).row(0), mixing_);
  flow_.set(alpha_.in(parameters).row(0), mixing_);
}

void Cgnn::constrain(std::span<Real> parameters) const {
  if (mixes()) pull_to_orthogonal(vectors_.in(parameters));
}

LogitModel::Inference Cgnn::inference(const Sight& sight) {
  return [this, input = sight.input](std::span<const Real> parameters, MatrixView logits) {
    encoder_.forward(input->view(), parameters, judge_.start, threads_);
    flow_.judge(judge_.start, judge_work_, judge_.end);
    judge_.products += flow_.products();
    activate(Activation::relu, judge_.end, judge_.end, threads_);
    decoder_.forward(judge_.end.view(), parameters, logits, threads_);
  };
}

void Cgnn::forward(std::span<const Real> parameters, const Random& random, MatrixView logits) {
  step_random_ = random;
  encoder_.forward(input_dropout_.draw(random.part(kInputPart), threads_), parameters, step_.start, threads_);
  flow_.forward(step_.start, step_work_, step_.end);
  step_.products += flow_.products();
  activate(Activation::relu, step_.end, step_.end, threads_);
  if (drops()) drop(dropout_, random.part(kStatePart), step_.end, dropped_, threads_);
  decoder_.forward(decoder_input(), parameters, logits, threads_);
}

void Cgnn::backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) {
  decoder_.backward(decoder_input(), d_logits, gradient, threads_);
  decoder_.backward_input(d_logits, parameters, d_state_, threads_);
  if (drops()) drop(dropout_, step_random_.part(kStatePart), d_state_, d_state_, threads_);
  activate_backward(Activation::relu, step_.end, d_state_, threads_);
  flow_.backward(step_work_, d_state_, alpha_.in(gradient).row(0), d_mixing_);
  step_.products += flow_.backward_products();
  if (mixes()) {
    mixing_backward(vectors_.in(parameters), values_.in(parameters).row(0), d_mixing_, vectors_.in(gradient),
                    values_.in(gradient).row(0));
  }
  encoder_.backward(input_dropout_.drawn(), d_state_, gradient, threads_);
}

}  // namespace heatfront
