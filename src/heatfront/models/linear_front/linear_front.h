// SPDX-License-Identifier: MIT
// The linear front, solved exactly: the paper's free flow from a front that is linear in the features, with squared loss,
//
//     ψ0 = X̂ W,     f = H X̂ W = Z W,     W = argmin Σ_{i ∈ L} |z_iᵀ W − y_i|² / κ + λ |W|²,     y_i = e_label − m
//
// m_c is the share of class c among the labels. The answer is β f + o, the logits of its shares: f a weighed mean of the best few fronts, β such that
// its softmax can be taken for a probability, and o what is said where labels are far, from how frequent classes are (front_confidence.h). With
// balance = classes, classes count alike: o = 0.
//
// There is no seed, no epoch and nothing held back: every label trains. Which X̂, τ, ℓ and λ, and how good the answer is, come from
// leaving out each label in its turn (choose_fronts.h). A label that comes, changes or goes is an exact refit (linear_fit.h).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heatfront/models/linear_front/choose_fronts.h"
#include "heatfront/models/linear_front/left_out_error.h"
#include "heatfront/models/model.h"
#include "heatfront/models/predictor.h"

namespace heatfront {

struct LinearFrontOptions {
  std::string features = "auto";  // a view of models/features.h; auto: the best of those that suit the data
  std::vector<double> time = {0, 1, 2, 3, 5, 10, 20};
  std::vector<double> self_loop = {2};
  std::vector<double> ridge = {0.03, 0.1, 0.3, 1, 3, 10};
  std::int64_t average = 8;
  std::string laplacian = "symmetric";
  std::string edge_weights = "none";  // or features: learned by left_out_error.h
  double tolerance = 1e-6;

  FlowOptions flow(const KernelSetting& kernel) const;
};

OptionFields fields(LinearFrontOptions& options);

// What they leave to choose from on this data.
FrontChoices front_choices(const LinearFrontOptions& options, const Dataset& dataset);

class LinearFront : public Model {
 public:
  LinearFront(const Dataset& dataset, const LinearFrontOptions& options, Threads& threads);

  const ParameterLayout& layout() const override { return layout_; }
  std::vector<DecayRange> decay(double) const override { return {}; }
  void initialise(std::uint64_t, std::span<Real>) const override {}
  void weigh_classes(std::vector<double> weights) override { class_weights_ = std::move(weights); }
  void report_to(const ProgressCallback& progress) override { progress_ = progress; }
  void prepare(std::span<const Real>) override;
  double gradient(std::span<const Real>, std::uint64_t, std::span<Real>) override { return 0; }
  ConstMatrixView judge(std::span<const Real>) override { return scores_; }
  void keep(std::span<const Real>, TrainedModel& model) const override;
  std::int64_t products() const override { return products_; }
  ModelSeconds seconds() const override { return {.shared = seconds_}; }

 private:
  std::span<const Real> weights() const {
    return learned_.weights.empty() ? dataset_.weights : learned_.weights;
  }

  const Dataset& dataset_;
  LinearFrontOptions options_;
  Threads& threads_;
  ProgressCallback progress_;
  ParameterLayout layout_;
  KnownLabels known_;
  LearnedWeights learned_;               // none: the data's own
  std::vector<double> class_weights_;    // empty: labels count alike
  std::vector<double> centre_, offset_;  // m and o; empty: even
  FrontChoice choice_;
  double confidence_ = 1;  // β
  Matrix scores_;          // β f + o; empty: not fitted yet
  std::int64_t products_ = 0;
  double seconds_ = 0;
};

// β f of the training labels on the model's data as it is now, with the fronts, κ and β that were chosen.
Matrix linear_front_on_its_data(const TrainedModel& model, Threads& threads);

std::unique_ptr<Predictor> linear_front_predictor(const TrainedModel& model, ConstMatrixView front,
                                                  Threads& threads);

}  // namespace heatfront
