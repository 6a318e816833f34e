// SPDX-License-Identifier: MIT
#include "heatfront/models/gcn.h"

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/features.h"
#include "heatfront/nn/activation.h"

namespace heatfront {

OptionFields fields(GcnOptions& options) {
  return {{"hidden", &options.hidden, "Widths of the hidden layers"},
          {"dropout", &options.dropout, "Share of the input of every layer dropped in a training step"},
          features_field(options.features),
          {"self_loop", &options.self_loop, "Weight of the loop on every node"}};
}

Gcn::Gcn(const Dataset& dataset, const GcnOptions& options, Threads& threads)
    : LogitModel(dataset, options.features, options.dropout, options.hidden.size() + 1, threads),
      dropout_(options.dropout),
      propagation_(dataset.graph, dataset.weights, Normalisation::symmetric, options.self_loop, threads),
      step_propagation_(dataset.graph, dataset.weights, options.self_loop, *field_) {
  std::int64_t in = input_.cols();
  for (std::size_t k = 0; k <= options.hidden.size(); ++k) {
    const std::int64_t out = k < options.hidden.size() ? options.hidden[k] : dataset.classes();
    if (out < 1) fail("hidden layer {} has {} units; it must have at least 1", k + 1, out);
    const std::string name = fmt::format("layer{}", k + 1);
    layers_.push_back({Linear(name, in, out, Bias::no, layout_), layout_.add(name + ".bias", 1, out)});
    in = out;
  }
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const auto matrix = [&](std::int64_t rows) { return padded_matrix(rows, layers_[k].linear.out()); };
    judge_.push_back({.product = matrix(dataset.nodes()), .state = matrix(dataset.nodes())});
    step_.push_back({.product = matrix(rows_into(k)), .state = matrix(rows_into(k + 1))});
    if (!is_last(k)) dropped_.push_back(matrix(rows_into(k + 1)));
  }
  d_ = step_;
}

void Gcn::initialise(std::uint64_t seed, std::span<Real> parameters) const {
  for (std::size_t k = 0; k < layers_.size(); ++k)
    layers_[k].linear.initialise(Initialiser::glorot, Random(seed), k, parameters);
}

bool Gcn::decays(const Parameter& parameter) const {
  return parameter.name == layers_.front().linear.weight().name;
}

void Gcn::infer(std::span<const Real> parameters, MatrixView logits) {
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const InputView x = k == 0 ? input_.view() : judge_[k - 1].state.view();
    const MatrixView z = is_last(k) ? logits : judge_[k].state.view();
    layers_[k].linear.forward(x, parameters, judge_[k].product, threads_);
    propagation_.multiply(judge_[k].product, z);
    add_to_rows(layers_[k].bias.in(parameters).row(0), z);
    if (!is_last(k)) activate(Activation::relu, z, z, threads_);
  }
}

void Gcn::forward(std::span<const Real> parameters, const Random& random, MatrixView logits) {
  step_random_ = random;
  input_dropout_.draw(random.part(kInputPart), threads_);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const InputView x = k == 0 ? input_dropout_.drawn() : dropped_[k - 1].view();
    const MatrixView z = is_last(k) ? logits : step_[k].state.view();
    layers_[k].linear.forward(x, parameters, step_[k].product, threads_);
    const ConstMatrixView bias = layers_[k].bias.in(parameters);
    step_propagation_.multiply(step_[k].product, {bias.data, at(bias.stride)}, z, threads_);
    if (is_last(k)) break;
    activate(Activation::relu, z, z, threads_);
    drop(dropout_, random.part(k + 1), z, dropped_[k], threads_);
  }
}

void Gcn::backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) {
  for (std::size_t k = layers_.size(); k-- > 0;) {
    const MatrixView dz = is_last(k) ? d_logits : d_[k].state.view(), d_product = d_[k].product;
    column_sums(dz, layers_[k].bias.in(gradient), threads_);
    step_propagation_.multiply_transposed(dz, d_product, threads_);
    const InputView x = k == 0 ? input_dropout_.drawn() : dropped_[k - 1].view();
    layers_[k].linear.backward(x, d_product, gradient, threads_);
    if (k == 0) break;
    const MatrixView d_state = d_[k - 1].state;
    layers_[k].linear.backward_input(d_product, parameters, d_state, threads_);
    drop(dropout_, step_random_.part(k), d_state, d_state, threads_);
    activate_backward(Activation::relu, step_[k - 1].state, d_state, threads_);
  }
}

std::int64_t Gcn::products() const { return propagation_.products() + step_propagation_.products(); }

}  // namespace heatfront
