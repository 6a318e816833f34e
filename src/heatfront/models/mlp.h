// SPDX-License-Identifier: MIT
// Features alone: a multilayer perceptron that sees no edge. Without hidden layers it is a linear classifier.
#pragma once

#include "heatfront/models/logit_model.h"
#include "heatfront/nn/mlp.h"

namespace heatfront {

struct MlpModelOptions {
  MlpOptions network;
  double input_dropout = 0;
  std::string features = "auto";
};

OptionFields fields(MlpModelOptions& options);

class MlpModel : public LogitModel {
 public:
  MlpModel(const Dataset& dataset, const MlpModelOptions& options, Threads& threads)
      : MlpModel(dataset, checked(options, "mlp"), 0, threads) {}

  void initialise(std::uint64_t seed, std::span<Real> parameters) const override;

 protected:
  MlpModel(const Dataset& dataset, const MlpModelOptions& options, std::size_t reach, Threads& threads);

  Inference inference(const Sight& sight) override;
  void forward(std::span<const Real> parameters, const Random& random, MatrixView logits) override;
  void backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) override;

 private:
  Mlp network_;
  Matrix step_entry_;  // z_1
  Mlp::StepWorkspace step_work_;
};

}  // namespace heatfront
