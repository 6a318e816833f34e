// SPDX-License-Identifier: MIT
// The learned front (the paper's Figure 1). With X the features, Ψ the network, w the edge weights:
//
//     training    ψ̃0 = Ψ(X)  →  f(t) = exp(λtΔ_w) ψ̃0  →  cross-entropy on the training rows
//     judging     ψ0 = ψ̃0 off the training rows, one-hot on them  →  clamped flow with λ'  →  temperatures
//
// ∂L/∂ψ̃0 is the same flow applied to ∂L/∂f; ∂L/∂w comes from the solver's adjoint (method.md, 3).
#pragma once

#include <utility>

#include "heatfront/flow/flow.h"
#include "heatfront/models/edge_weighting.h"
#include "heatfront/models/model.h"
#include "heatfront/models/predictor.h"
#include "heatfront/nn/mlp.h"
#include "heatfront/solve/solver.h"

namespace heatfront {

class HeatFront : public Model {
 public:
  // The data set is lent and must outlive the model; its split says which labels train.
  HeatFront(const Dataset& dataset, const HeatFrontOptions& options, Threads& threads);

  const ParameterLayout& layout() const override { return layout_; }
  std::vector<DecayRange> decay(double weight_decay) const override;
  void initialise(std::uint64_t seed, std::span<Real> parameters) const override;
  void weigh_classes(std::vector<double> weights) override { class_weights_ = std::move(weights); }
  void prepare(std::span<const Real> parameters) override;
  double gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) override;
  ConstMatrixView judge(std::span<const Real> parameters) override;
  void keep(std::span<const Real> parameters, TrainedModel& model) const override;
  std::int64_t products() const override { return step_.products + judge_.products; }
  ModelSeconds seconds() const override;

 private:
  // One of the two flows, with all that it needs of its own.
  struct Way {
    Way(const Dataset& dataset, std::span<const Real> weights, const FlowOptions& options, Threads& threads);

    Flow flow;
    Matrix front;         // ψ̃0
    Matrix temperatures;  // f(t)
    std::int64_t products = 0;
    double network_seconds = 0, flow_seconds = 0;
  };

  void weight_gradient(std::span<const Real> parameters, std::span<Real> gradient);

  const Dataset& dataset_;
  HeatFrontOptions options_;
  Threads& threads_;
  NetworkInput input_;
  ParameterLayout layout_;
  Mlp network_;
  std::unique_ptr<EdgeWeighting> weighting_;
  std::vector<ArcId> reverse_;  // empty: weights are not learned
  KnownLabels known_;
  std::vector<double> class_weights_;  // of the loss; empty: all 1
  Matrix entry_;                       // z_1 of the network
  double shared_seconds_ = 0;

  Way step_;
  Mlp::StepWorkspace step_work_;
  Trace trace_;
  Matrix d_temperatures_, d_front_;
  OperatorGradient d_operator_;
  Laplacian::WeightGradient d_weights_;
  double backward_seconds_ = 0;

  Way judge_;
  Mlp::JudgeWorkspace judge_work_;
};

// The clamped flow from `front`.
std::unique_ptr<Predictor> heat_front_predictor(const TrainedModel& model, ConstMatrixView front,
                                                Threads& threads);

}  // namespace heatfront
