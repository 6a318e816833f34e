// SPDX-License-Identifier: MIT
// The learned front (the paper's Figure 1). With X the features, Ψ the network, w the edge weights:
//
//     training    ψ̃0 = Ψ(X)  →  f(t) = exp(λtΔ_w) ψ̃0  →  cross-entropy on the training rows
//     judging     ψ0 = ψ̃0 off the training rows, one-hot on them  →  clamped flow with λ'  →  temperatures
//
// ∂L/∂ψ̃0 is the same flow applied to ∂L/∂f; ∂L/∂w comes from the solver's adjoint (method.md, 3).
//
// Beyond the paper, each by a setting: a step may draw several samples of the front, drop whole rows of them and draw the samples to one another
// (consistency.h); it may hold some of the training labels fixed, as judging does, and take the loss of the others; and several
// fronts may be trained side by side, of which the mean answers. With M fronts and K samples the loss is the mean over all M K of them, and
// so is the decay over the fronts.
#pragma once

#include <optional>
#include <utility>

#include "heatfront/flow/flow.h"
#include "heatfront/models/edge_weighting.h"
#include "heatfront/models/model.h"
#include "heatfront/models/model_rows.h"
#include "heatfront/models/predictor.h"
#include "heatfront/nn/mlp.h"
#include "heatfront/solve/solver.h"

namespace heatfront {

class HeatFront : public Model {
 public:
  // The data set is lent and must outlive the model; its split says which labels train.
  HeatFront(const Dataset& dataset, const HeatFrontOptions& options, Threads& threads)
      : HeatFront(ModelRows(dataset), options, threads) {}

  // The same of the rows of one of several ranks. All calls are collective; the gradient is that of all ranks at what they share, the
  // networks, and at an arc's own numbers on the rank that has the arc.
  HeatFront(const ModelRows& rows, const HeatFrontOptions& options, Threads& threads);

  const Ranks& ranks() const override { return rows_.ranks(); }
  const ParameterLayout& layout() const override { return layout_; }
  std::vector<DecayRange> decay(double weight_decay) const override;
  void initialise(std::uint64_t seed, std::span<Real> parameters) const override;
  void weigh_classes(std::vector<double> weights) override { class_weights_ = std::move(weights); }
  void prepare(std::span<const Real> parameters) override;
  double gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) override;
  ConstMatrixView judge(std::span<const Real> parameters) override;
  void keep(std::span<const Real> parameters, TrainedModel& model) const override;
  std::vector<NamedMatrix> whole_block(std::span<const Real> block) const override;
  void take_block(const std::vector<NamedMatrix>& whole, std::span<Real> block) const override;
  std::int64_t products() const override { return step_.products + judge_.products; }
  ModelSeconds seconds() const override;

 private:
  // One of the two flows, with all that it needs of its own.
  struct Way {
    Way(const ModelRows& rows, std::span<const Real> weights, const FlowOptions& options, Threads& threads);

    std::unique_ptr<StepFlow> flow;
    std::int64_t products = 0;
    double network_seconds = 0, flow_seconds = 0;
  };

  // A front on its way through a training step, and what it leaves for the way back.
  struct Sample {
    Sample(const Mlp& network, const ModelRows& rows, bool changes_front);

    Mlp::StepWorkspace network;
    Matrix front;            // ψ̃0
    std::vector<Real> kept;  // by row of the front: 0 where it is dropped, else 1/(1 − δ); empty: none is
    Matrix changed;          // the front without dropped rows and with the labels that are held
    Matrix temperatures;     // f(t)
    Matrix d_temperatures, d_front;
    Trace trace;

    ConstMatrixView start() const { return changed.rows() > 0 ? changed.view() : front.view(); }
  };

  double front_gradient(std::size_t m, std::span<const Real> parameters, std::uint64_t seed,
                        std::span<Real> gradient);
  void hold_labels(std::uint64_t seed);
  void forward(std::size_t m, std::span<const Real> parameters, std::uint64_t seed, Sample& sample);
  double loss(Sample& sample);
  double draw_together();
  void backward(std::size_t m, std::span<const Real> parameters, Sample& sample, std::span<Real> for_weights,
                std::span<Real> for_network);
  void front_backward(Sample& sample);
  void weight_gradient(std::span<const Real> parameters, const Sample& sample, std::span<Real> gradient);
  double share_of_a_sample() const { return 1 / static_cast<double>(networks_.size() * samples_.size()); }
  void drop_rows(std::uint64_t seed, Sample& sample) const;
  void hold_at(const KnownLabels& known, ConstMatrixView front, MatrixView state) const;

  const ModelRows rows_;
  const Dataset& dataset_;  // of the rows
  HeatFrontOptions options_;
  Threads& threads_;
  NetworkInput input_;
  ParameterLayout layout_;
  std::vector<std::int64_t> ends_;  // of the parameters of each network
  std::vector<Mlp> networks_;       // one per front
  std::unique_ptr<EdgeWeighting> weighting_;
  std::optional<ArcPairs> pairs_;  // none: weights are not learned
  KnownLabels known_;
  std::int64_t labels_,
      judging_labels_;                 // training labels on all ranks, and those of them that judge this step
  std::vector<double> class_weights_;  // of the loss; empty: all 1
  std::vector<Matrix> entries_;        // z_1 of each network
  double shared_seconds_ = 0;

  Way step_;
  std::vector<Sample> samples_;
  Matrix targets_;                 // q; empty: samples are not drawn together
  KnownLabels held_;               // of the training labels in this step
  std::vector<NodeId> judged_by_;  // the others
  std::vector<std::size_t> order_;
  ParameterBlock addend_;  // gradient of one sample; empty: there is one sample and one front
  OperatorGradient d_operator_;
  Laplacian::WeightGradient d_weights_;
  double backward_seconds_ = 0;

  Way judge_;
  Mlp::JudgeWorkspace judge_work_;
  Matrix judge_front_, judge_temperatures_;
  Matrix another_front_;  // of the networks after the first
};

// The clamped flow from `front`.
std::unique_ptr<Predictor> heat_front_predictor(const TrainedModel& model, ConstMatrixView front,
                                                Threads& threads);

}  // namespace heatfront
