// SPDX-License-Identifier: MIT
// Predict, then propagate (Gasteiger, Bojchevski and Günnemann, 2019): a network's logits H are spread by personalised
// PageRank,
//
//     Z ← (1 − p) S Z + p H,  from Z = H,  a fixed number of times
//
// a polynomial of the symmetric S: ∂L/∂H is the same spreading of ∂L/∂Z.
#pragma once

#include "heatfront/flow/propagation.h"
#include "heatfront/models/mlp.h"

namespace heatfront {

struct AppnpOptions {
  MlpModelOptions network{.input_dropout = 0.5};
  std::int64_t steps = 10;
  double teleport = 0.1;
  double self_loop = 1;
};

OptionFields fields(AppnpOptions& options);

class Appnp : public MlpModel {
 public:
  Appnp(const Dataset& dataset, const AppnpOptions& options, Threads& threads);

  std::int64_t products() const override { return step_.products() + judge_.products(); }

 private:
  Inference inference(const Sight& sight) override;
  void forward(std::span<const Real> parameters, const Random& random, MatrixView logits) override;
  void backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) override;
  bool decays(const Parameter& parameter) const override;

  double stay_;  // 1 − p
  std::int64_t steps_;
  Propagation step_, judge_;
  Matrix step_start_, judge_start_;  // H, and ∂L/∂H on the way back
};

}  // namespace heatfront
