// SPDX-License-Identifier: MIT
#include "heatfront/models/gcn.h"

#include <fmt/core.h>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/features.h"
#include "heatfront/nn/activation.h"

namespace heatfront {

OptionFields fields(GcnOptions& options) {
  return {{"hidden", &options.hidden, "Widths of the hidden layers", from_to(1, kMostUnits)},
          {"dropout", &options.dropout, "Share of the input of every layer dropped in a training step",
           from_to_below(0, 1)},
          features_field(options.features),
          {"self_loop", &options.self_loop, "Weight of the loop on every node", at_least(0)}};
}

Gcn::Gcn(const Dataset& dataset, const GcnOptions& options, Threads& threads)
    : LogitModel(dataset, checked(options, "gcn").features, options.dropout, options.hidden.size() + 1,
                 threads),
      dropout_(options.dropout),
      self_loop_(options.self_loop),
      step_propagation_(dataset.graph, dataset.weights, self_loop_, *step_sight().field) {
  std::int64_t in = input_.cols();
  for (std::size_t k = 0; k <= options.hidden.size(); ++k) {
    const std::int64_t out = k < options.hidden.size() ? options.hidden[k] : dataset.classes();
    const std::string name = fmt::format("layer{}", k + 1);
    layers_.push_back({Linear(name, in, out, Bias::no, layout_), layout_.add(name + ".bias", 1, out)});
    in = out;
  }
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    step_.push_back(pass(k, step_sight()));
    if (!is_last(k)) dropped_.push_back(step_[k].state);
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

Gcn::Pass Gcn::pass(std::size_t k, const Sight& sight) const {
  const std::int64_t width = layers_[k].linear.out();
  return {.product = padded_matrix(sight.rows_into(k), width),
          .state = padded_matrix(sight.rows_into(k + 1), width)};
}

Gcn::Multiply Gcn::multiply_by(const Sight& sight) const {
  if (sight.field != nullptr) {
    return [this, propagation = FieldPropagation(dataset_.graph, dataset_.weights, self_loop_, *sight.field)](
               MatrixView x, ConstMatrixView bias, MatrixView y) mutable {
      propagation.multiply(x, {bias.data, at(bias.stride)}, y, threads_);
    };
  }
  const auto propagation = std::make_shared<Propagation>(dataset_.graph, dataset_.weights,
                                                         Normalisation::symmetric, self_loop_, threads_);
  return [propagation](MatrixView x, ConstMatrixView bias, MatrixView y) {
    propagation->multiply(x, y);
    add_to_rows(bias.row(0), y);
  };
}

LogitModel::Inference Gcn::inference(const Sight& sight) {
  std::vector<Pass> passes;
  for (std::size_t k = 0; k < layers_.size(); ++k) passes.push_back(pass(k, sight));
  return [this, input = sight.input, passes = std::move(passes), multiply = multiply_by(sight)](
             std::span<const Real> parameters, MatrixView logits) mutable {
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const InputView x = k == 0 ? input->view() : passes[k - 1].state.view();
      const MatrixView z = is_last(k) ? logits : passes[k].state.view();
      layers_[k].linear.forward(x, parameters, passes[k].product, threads_);
      multiply(passes[k].product, layers_[k].bias.in(parameters), z);
      ++judge_products_;
      if (!is_last(k)) activate(Activation::relu, z, z, threads_);
    }
  };
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

}  // namespace heatfront
