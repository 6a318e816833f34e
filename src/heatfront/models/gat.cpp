// SPDX-License-Identifier: MIT
#include "heatfront/models/gat.h"

#include <fmt/core.h>

#include <algorithm>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/models/features.h"
#include "heatfront/nn/activation.h"

namespace heatfront {

OptionFields fields(GatOptions& options) {
  return {{"hidden", &options.hidden, "Units of a head, for each hidden layer", from_to(1, kMostUnits)},
          {"heads", &options.heads, "Heads of a hidden layer", from_to(1, GraphAttention::kMostHeads)},
          {"output_heads", &options.output_heads, "Heads of the last layer, whose mean is taken",
           from_to(1, GraphAttention::kMostHeads)},
          {"dropout", &options.dropout,
           "Share of the input of every layer, and of what it averages, dropped in a training step",
           from_to_below(0, 1)},
          {"attention_dropout", &options.attention_dropout,
           "Share of the attention weights dropped in a training step", from_to_below(0, 1)},
          {"slope", &options.slope, "Slope of the leaky rectifier below 0", from_to_below(0, 1)},
          features_field(options.features)};
}

Gat::Gat(const Dataset& dataset, const GatOptions& options, Threads& threads)
    : LogitModel(dataset, checked(options, "gat").features, options.dropout, options.hidden.size() + 1,
                 threads),
      output_heads_(options.output_heads),
      dropout_(options.dropout),
      reverse_(reverse_arcs(*step_sight().graph)) {
  std::int64_t in = input_.cols();
  for (std::size_t k = 0; k <= options.hidden.size(); ++k) {
    const bool last = k == options.hidden.size();
    const std::string name = fmt::format("layer{}", k + 1);
    const GraphAttentionOptions attention{.heads = last ? options.output_heads : options.heads,
                                          .width = last ? dataset.classes() : options.hidden[k],
                                          .slope = options.slope,
                                          .attention_dropout = options.attention_dropout,
                                          .feature_dropout = options.dropout};
    const std::int64_t out = attention.heads * attention.width;
    layers_.push_back({Linear(name, in, out, Bias::no, layout_), GraphAttention(attention, name, layout_),
                       layout_.add(name + ".bias", 1, last ? dataset.classes() : out)});
    in = out;
  }
  const Sight sight = step_sight();
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    step_.push_back(pass(k, sight));
    step_work_.push_back(
        layers_[k].attention.step_workspace(*sight.graph, sight.rows_into(k), sight.rows_into(k + 1)));
    if (!is_last(k)) dropped_.push_back(step_[k].state);
  }
  d_ = step_;
}

Gat::Pass Gat::pass(std::size_t k, const Sight& sight) const {
  const Matrix out = padded_matrix(sight.rows_into(k + 1), layers_[k].linear.out());
  return {.z = padded_matrix(sight.rows_into(k), out.cols()), .attended = out, .state = out};
}

void Gat::initialise(std::uint64_t seed, std::span<Real> parameters) const {
  const Random random(seed);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    layers_[k].linear.initialise(Initialiser::glorot, random, part_of(k, 0), parameters);
    layers_[k].attention.initialise(random.part(part_of(k, 2)), parameters);
  }
}

// out ← elu(attended + b) or, in the last layer, the mean over heads + b.
void Gat::finish(std::size_t k, std::span<const Real> parameters, ConstMatrixView attended, MatrixView out) {
  const ConstMatrixView bias = layers_[k].bias.in(parameters);
  const Real share = Real(1) / static_cast<Real>(output_heads_);
  threads_.for_blocks(out.rows, rows_at_once(out.rows, 8 * out.cols),
                      [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t u = begin; u < end; ++u) {
                          const Real* from = attended.data + u * attended.stride;
                          Real* to = out.data + u * out.stride;
                          std::copy_n(from, out.cols, to);
                          if (is_last(k)) {
                            for (std::int64_t h = 1; h < output_heads_; ++h)
                              add_row(from + h * out.cols, to, out.cols);
                            for (std::int64_t c = 0; c < out.cols; ++c) to[c] *= share;
                          }
                          add_row(bias.data, to, out.cols);
                          if (!is_last(k)) activate_row(Activation::elu, to, to, out.cols);
                        }
                      });
}

// The way back from the mean: every head has its share.
void Gat::mean_backward(MatrixView d_attended, ConstMatrixView d_logits) {
  const Real share = Real(1) / static_cast<Real>(output_heads_);
  for (std::int64_t u = 0; u < d_logits.rows; ++u) {
    const auto from = d_logits.row(u);
    const auto to = d_attended.row(u);
    for (std::size_t j = 0; j < to.size(); ++j) to[j] = share * from[j % from.size()];
  }
}

LogitModel::Inference Gat::inference(const Sight& sight) {
  std::vector<Pass> passes;
  std::vector<GraphAttention::JudgeWorkspace> works;
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    passes.push_back(pass(k, sight));
    works.push_back(layers_[k].attention.judge_workspace(sight.rows_into(k)));
  }
  return [this, sight, passes = std::move(passes), works = std::move(works)](std::span<const Real> parameters,
                                                                             MatrixView logits) mutable {
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      Pass& pass = passes[k];
      const InputView x = k == 0 ? sight.input->view() : passes[k - 1].state.view();
      layers_[k].linear.forward(x, parameters, pass.z, threads_);
      layers_[k].attention.judge(*sight.graph, pass.z, parameters, works[k], pass.attended, threads_);
      finish(k, parameters, pass.attended, is_last(k) ? logits : pass.state.view());
    }
  };
}

void Gat::forward(std::span<const Real> parameters, const Random& random, MatrixView logits) {
  step_random_ = random;
  input_dropout_.draw(random.part(kInputPart), threads_);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Pass& pass = step_[k];
    const InputView x = k == 0 ? input_dropout_.drawn() : dropped_[k - 1].view();
    layers_[k].linear.forward(x, parameters, pass.z, threads_);
    layers_[k].attention.forward(*step_sight().graph, pass.z, parameters, random.bits(part_of(k, 1)),
                                 step_work_[k], pass.attended, threads_);
    finish(k, parameters, pass.attended, is_last(k) ? logits : pass.state.view());
    if (!is_last(k)) drop(dropout_, random.part(part_of(k + 1, 0)), pass.state, dropped_[k], threads_);
  }
}

void Gat::backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) {
  for (std::size_t k = layers_.size(); k-- > 0;) {
    const Layer& layer = layers_[k];
    Pass &pass = step_[k], &d = d_[k];
    column_sums(is_last(k) ? d_logits : d.state.view(), layer.bias.in(gradient), threads_);
    if (is_last(k)) mean_backward(d.attended, d_logits);
    layer.attention.backward(*step_sight().graph, reverse_, pass.z, pass.attended, parameters,
                             is_last(k) ? d.attended.view() : d.state.view(), step_work_[k], d.z, gradient,
                             threads_);
    layer.linear.backward(k == 0 ? input_dropout_.drawn() : dropped_[k - 1].view(), d.z, gradient, threads_);
    if (k == 0) break;
    const MatrixView d_state = d_[k - 1].state;
    layer.linear.backward_input(d.z, parameters, d_state, threads_);
    drop(dropout_, step_random_.part(part_of(k, 0)), d_state, d_state, threads_);
    activate_backward(Activation::elu, step_[k - 1].state, d_state, threads_);
  }
}

}  // namespace heatfront
