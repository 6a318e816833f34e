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
    : LogitModel(dataset, options.features, options.dropout, threads),
      dropout_(options.dropout),
      layers_([&] {
        std::vector<Layer> layers;
        std::int64_t in = input_.cols();
        for (std::size_t k = 0; k <= options.hidden.size(); ++k) {
          const std::int64_t out = k < options.hidden.size() ? options.hidden[k] : dataset.classes();
          if (out < 1) fail("hidden layer {} has {} units; it must have at least 1", k + 1, out);
          const std::string name = fmt::format("layer{}", k + 1);
          layers.push_back({Linear(name, in, out, Bias::no, layout_), layout_.add(name + ".bias", 1, out)});
          in = out;
        }
        return layers;
      }()),
      step_(new_pass(options)),
      judge_(new_pass(options)) {
  for (const Matrix& state : step_.states) {
    dropped_.push_back(padded_matrix(state.rows(), state.cols()));
    d_states_.push_back(padded_matrix(state.rows(), state.cols()));
  }
}

Gcn::Pass Gcn::new_pass(const GcnOptions& options) const {
  Pass pass{.propagation = Propagation(dataset_.graph, dataset_.weights, Normalisation::symmetric,
                                       options.self_loop, threads_)};
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    pass.products.push_back(padded_matrix(dataset_.nodes(), layers_[k].linear.out()));
    if (k + 1 < layers_.size())
      pass.states.push_back(padded_matrix(dataset_.nodes(), layers_[k].linear.out()));
  }
  return pass;
}

void Gcn::initialise(std::uint64_t seed, std::span<Real> parameters) const {
  for (std::size_t k = 0; k < layers_.size(); ++k)
    layers_[k].linear.initialise(Initialiser::glorot, Random(seed), k, parameters);
}

bool Gcn::decays(const Parameter& parameter) const {
  return parameter.name == layers_.front().linear.weight().name;
}

// z ← S x W + b.
void Gcn::convolve(std::size_t k, const InputView& x, std::span<const Real> parameters, Pass& pass,
                   MatrixView z) {
  layers_[k].linear.forward(x, parameters, pass.products[k], threads_);
  pass.propagation.multiply(pass.products[k], z);
  add_to_rows(layers_[k].bias.in(parameters).row(0), z);
}

void Gcn::infer(std::span<const Real> parameters, MatrixView logits) {
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const InputView x = k == 0 ? input_.view() : judge_.states[k - 1].view();
    const bool last = k + 1 == layers_.size();
    const MatrixView z = last ? logits : judge_.states[k].view();
    convolve(k, x, parameters, judge_, z);
    if (!last) activate(Activation::relu, z, z, threads_);
  }
}

void Gcn::forward(std::span<const Real> parameters, const Random& random, MatrixView logits) {
  step_random_ = random;
  input_dropout_.draw(random.part(kInputPart), threads_);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const InputView x = k == 0 ? input_dropout_.drawn() : dropped_[k - 1].view();
    const bool last = k + 1 == layers_.size();
    const MatrixView z = last ? logits : step_.states[k].view();
    convolve(k, x, parameters, step_, z);
    if (last) break;
    activate(Activation::relu, z, z, threads_);
    drop(dropout_, random.part(k + 1), z, dropped_[k], threads_);
  }
}

void Gcn::backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) {
  for (std::size_t k = layers_.size(); k-- > 0;) {
    const MatrixView dz = k + 1 == layers_.size() ? d_logits : d_states_[k].view();
    const MatrixView d_product = step_.products[k];
    column_sums(dz, layers_[k].bias.in(gradient), threads_);
    step_.propagation.multiply(dz, d_product);  // S is symmetric
    const InputView x = k == 0 ? input_dropout_.drawn() : dropped_[k - 1].view();
    layers_[k].linear.backward(x, d_product, gradient, threads_);
    if (k == 0) break;
    const MatrixView d_state = d_states_[k - 1];
    layers_[k].linear.backward_input(d_product, parameters, d_state, threads_);
    drop(dropout_, step_random_.part(k), d_state, d_state, threads_);
    activate_backward(Activation::relu, step_.states[k - 1], d_state, threads_);
  }
}

std::int64_t Gcn::products() const { return step_.propagation.products() + judge_.propagation.products(); }

}  // namespace heatfront
