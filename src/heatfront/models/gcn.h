// SPDX-License-Identifier: MIT
// The graph convolutional network (Kipf and Welling, 2017). With S the symmetric adjacency with loops, layer by layer
//
//     z_k = S dropout(a_{k−1}) W_k + b_k,     a_k = relu(z_k),     a_0 = features,     logits = z_last
#pragma once

#include "heatfront/flow/field_propagation.h"
#include "heatfront/flow/propagation.h"
#include "heatfront/models/logit_model.h"
#include "heatfront/nn/dropout.h"
#include "heatfront/nn/linear.h"

namespace heatfront {

struct GcnOptions {
  std::vector<std::int64_t> hidden = {64};
  double dropout = 0.5;  // of the input of every layer
  std::string features = "auto";
  double self_loop = 1;
};

OptionFields fields(GcnOptions& options);

class Gcn : public LogitModel {
 public:
  Gcn(const Dataset& dataset, const GcnOptions& options, Threads& threads);

  void initialise(std::uint64_t seed, std::span<Real> parameters) const override;
  std::int64_t products() const override { return judge_products_ + step_propagation_.products(); }

 private:
  struct Layer {
    Linear linear;
    Parameter bias;
  };
  // What one way through a layer writes: a W, and a_k.
  struct Pass {
    Matrix product, state;
  };

  Inference inference(const Sight& sight) override;
  void forward(std::span<const Real> parameters, const Random& random, MatrixView logits) override;
  void backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) override;
  bool decays(const Parameter& parameter) const override;

  // y ← S x + bias, with S for what is seen.
  using Multiply = std::function<void(MatrixView x, ConstMatrixView bias, MatrixView y)>;
  Multiply multiply_by(const Sight& sight) const;

  bool is_last(std::size_t k) const { return k + 1 == layers_.size(); }
  Pass pass(std::size_t k, const Sight& sight) const;

  Dropout dropout_;
  double self_loop_;
  FieldPropagation step_propagation_;
  std::vector<Layer> layers_;
  std::vector<Pass> step_, d_;   // one per layer; d_: ∂L/∂ of those of step_
  std::vector<Matrix> dropped_;  // dropout(a_k), one a hidden layer
  std::int64_t judge_products_ = 0;
  Random step_random_{0};
};

}  // namespace heatfront
