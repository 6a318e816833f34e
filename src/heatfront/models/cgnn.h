// SPDX-License-Identifier: MIT
// The continuous graph network (Xhonneux, Qu and Tang, 2020): an encoder, a latent flow (diffusion/latent_flow.h), a
// decoder.
//
//     h0 = dropout(x) W_1 + b_1,     h' = ½ σ(α_u) (S h − h)_u + h M + h0,     logits = dropout(relu(h(t))) W_2 + b_2
//
// α is learned by node. M is zero, or with mixing that of nn/mixing.h, which begins at zero with W = I and m = 1. The
// authors double the state by a half that begins at zero; as W = I keeps the halves apart for good, so that the second
// one stays zero and its part of W never sees a gradient, it is left out here: no number changes by that. Their gradients
// take the source h0 for a constant, and their settings need that: source_gradient chooses.
#pragma once

#include "heatfront/flow/latent_flow.h"
#include "heatfront/models/logit_model.h"
#include "heatfront/nn/dropout.h"
#include "heatfront/nn/linear.h"

namespace heatfront {

struct CgnnOptions {
  std::int64_t width = 64;
  double input_dropout = 0.5;
  double dropout = 0;
  std::string features = "auto";
  double time = 12.1;
  double self_loop = 0.555;
  double alpha = 0.918;
  bool mixing = false;
  bool source_gradient = false;
  double tolerance = 1e-6;
};

OptionFields fields(CgnnOptions& options);

class Cgnn : public LogitModel {
 public:
  Cgnn(const Dataset& dataset, const CgnnOptions& options, Threads& threads);

  void initialise(std::uint64_t seed, std::span<Real> parameters) const override;
  void prepare(std::span<const Real> parameters) override;
  void constrain(std::span<Real> parameters) const override;
  std::int64_t products() const override { return step_.products + judge_.products; }

 private:
  // What one way through the layers writes.
  struct Pass {
    Matrix start, end;  // h0, and h(t) after relu
    std::int64_t products = 0;
  };

  Inference inference(const Sight& sight) override;
  void forward(std::span<const Real> parameters, const Random& random, MatrixView logits) override;
  void backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) override;

  bool mixes() const { return vectors_.rows > 0; }
  bool drops() const { return dropout_.keep() < 1; }
  ConstMatrixView decoder_input() const { return drops() ? dropped_ : step_.end; }

  double first_alpha_;
  Dropout dropout_;
  Linear encoder_, decoder_;
  Parameter alpha_;             // 1 × n
  Parameter vectors_, values_;  // W and m; without rows: nothing mixes
  LatentFlow flow_;
  std::vector<double> mixing_, d_mixing_;  // M, ∂L/∂M
  Pass step_, judge_;
  LatentFlow::StepWorkspace step_work_;
  ChebyshevRecurrence judge_work_;
  Matrix dropped_, d_state_;
  Random step_random_{0};
};

}  // namespace heatfront
