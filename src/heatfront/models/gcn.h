// SPDX-License-Identifier: MIT
// The graph convolutional network (Kipf and Welling, 2017). With S the symmetric adjacency with loops, layer by layer
//
//     z_k = S dropout(a_{k−1}) W_k + b_k,     a_k = relu(z_k),     a_0 = features,     logits = z_last
#pragma once

#include "heatfront/diffusion/propagation.h"
#include "heatfront/models/logit_model.h"
#include "heatfront/nn/dropout.h"
#include "heatfront/nn/linear.h"

namespace heatfront {

struct GcnOptions {
  std::vector<std::int64_t> hidden = {16};
  double dropout = 0.5;  // of the input of every layer
  std::string features = "auto";
  double self_loop = 1;
};

OptionFields fields(GcnOptions& options);

class Gcn : public LogitModel {
 public:
  Gcn(const Dataset& dataset, const GcnOptions& options, Threads& threads);

  void initialise(std::uint64_t seed, std::span<Real> parameters) const override;
  std::int64_t products() const override;

 private:
  struct Layer {
    Linear linear;
    Parameter bias;
  };
  // What one way through the layers writes.
  struct Pass {
    Propagation propagation;
    std::vector<Matrix> products;  // a W, one a layer
    std::vector<Matrix> states;    // a_k, one a hidden layer
  };

  void infer(std::span<const Real> parameters, MatrixView logits) override;
  void forward(std::span<const Real> parameters, const Random& random, MatrixView logits) override;
  void backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) override;
  bool decays(const Parameter& parameter) const override;

  Pass new_pass(const GcnOptions& options) const;
  void convolve(std::size_t k, const InputView& x, std::span<const Real> parameters, Pass& pass,
                MatrixView z);

  Dropout dropout_;
  std::vector<Layer> layers_;
  Pass step_, judge_;
  Random step_random_{0};
  std::vector<Matrix> dropped_, d_states_;  // one a hidden layer
};

}  // namespace heatfront
