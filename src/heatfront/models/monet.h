// SPDX-License-Identifier: MIT
// The mixture model network (Monti et al., 2017). With mix as in gaussian_mixture.h, layer by layer
//
//     z_k = mix(dropout(a_{k−1}) W_k) + b_k,     a_k = relu(z_k),     a_0 = features,     logits = z_last
#pragma once

#include "heatfront/graph/degree_pairs.h"
#include "heatfront/models/layers/gaussian_mixture.h"
#include "heatfront/models/logit_model.h"
#include "heatfront/nn/dropout.h"
#include "heatfront/nn/linear.h"

namespace heatfront {

struct MonetOptions {
  std::vector<std::int64_t> hidden = {64};
  std::int64_t kernels = 3;
  std::string aggregate = "mean";
  double dropout = 0.5;        // of hidden layers
  double input_dropout = 0.5;  // of the features
  std::string features = "auto";
};

OptionFields fields(MonetOptions& options);

class Monet : public LogitModel {
 public:
  Monet(const Dataset& dataset, const MonetOptions& options, Threads& threads);

  void initialise(std::uint64_t seed, std::span<Real> parameters) const override;
  void prepare(std::span<const Real> parameters) override;

 private:
  struct Layer {
    Linear linear;
    GaussianMixture mixture;
    Parameter bias;
    GaussianMixture::Weights weights;  // of the parameters that prepare() saw
  };
  // What one way through a layer writes: a W, and a_k, the next layer's a.
  struct Pass {
    Matrix product, state;
  };

  Inference inference(const Sight& sight) override;
  void forward(std::span<const Real> parameters, const Random& random, MatrixView logits) override;
  void backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) override;

  bool is_last(std::size_t k) const { return k + 1 == layers_.size(); }
  Pass pass(std::size_t k, const Sight& sight) const;
  DegreePairs pairs_of(const Sight& sight) const;
  GaussianMixture::Slots step_slots() const { return {*step_sight().graph, step_pairs_}; }

  Dropout dropout_;
  DegreePairs pairs_, step_pairs_;
  std::vector<Layer> layers_;

  std::vector<Pass> step_, d_;  // one per layer; d_: ∂L/∂ of those of step_
  std::vector<GaussianMixture::StepWorkspace> step_work_;
  std::vector<Matrix> dropped_;  // dropout(a_k), one a hidden layer
  Random step_random_{0};
};

}  // namespace heatfront
