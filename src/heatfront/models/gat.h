// SPDX-License-Identifier: MIT
// The graph attention network (Veličković et al., 2018). With attend as in graph_attention.h, layer by layer
//
//     a_k = elu(attend(dropout(a_{k−1}) W_k) + b_k),     a_0 = features     (heads side by side)
//     logits = mean over heads of attend(dropout(a_last) W) + b
#pragma once

#include <memory>

#include "heatfront/models/layers/graph_attention.h"
#include "heatfront/models/logit_model.h"
#include "heatfront/nn/dropout.h"
#include "heatfront/nn/linear.h"

namespace heatfront {

struct GatOptions {
  std::vector<std::int64_t> hidden = {8};  // units a head
  std::int64_t heads = 8;                  // of hidden layers
  std::int64_t output_heads = 1;
  double dropout = 0.3;  // of the input of every layer, and of what it averages
  double attention_dropout = 0.3;
  double slope = 0.2;
  std::string features = "auto";
};

OptionFields fields(GatOptions& options);

class Gat : public LogitModel {
 public:
  Gat(const Dataset& dataset, const GatOptions& options, Threads& threads);

  void initialise(std::uint64_t seed, std::span<Real> parameters) const override;

 private:
  struct Layer {
    Linear linear;
    GraphAttention attention;
    Parameter bias;
  };
  // What one way through a layer writes: z = a W, what attention makes of it, and a_k, the next layer's a. Where not all
  // nodes are seen, each layer has fewer rows than the one before.
  struct Pass {
    Matrix z, attended, state;
  };

  Inference inference(const Sight& sight) override;
  void forward(std::span<const Real> parameters, const Random& random, MatrixView logits) override;
  void backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) override;

  bool is_last(std::size_t k) const { return k + 1 == layers_.size(); }
  Pass pass(std::size_t k, const Sight& sight) const;
  void finish(std::size_t k, std::span<const Real> parameters, ConstMatrixView attended, MatrixView out);
  void mean_backward(MatrixView d_attended, ConstMatrixView d_logits);

  std::int64_t output_heads_;
  Dropout dropout_;
  std::vector<ArcId> reverse_;  // of what a step sees
  std::vector<Layer> layers_;

  std::vector<Pass> step_, d_;  // one per layer; d_: ∂L/∂ of those of step_
  std::vector<GraphAttention::StepWorkspace> step_work_;
  std::vector<Matrix> dropped_;  // dropout(a_k), one a hidden layer
  Random step_random_{0};
};

}  // namespace heatfront
