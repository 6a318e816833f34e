// SPDX-License-Identifier: MIT
// Correct and smooth (models/correction.h) after a base model that is trained as ever; epochs are judged by what comes
// out in the end. Known labels enter after the training only, so new ones are taken without it.
#pragma once

#include <memory>

#include "heatfront/models/correction.h"
#include "heatfront/models/heat_front_options.h"
#include "heatfront/models/model.h"
#include "heatfront/models/predictor.h"

namespace heatfront {

struct CorrectAndSmoothOptions {
  std::string base = "mlp";
  CorrectionOptions correction;
  double input_dropout = 0;   // of the bases mlp and linear
  HeatFrontOptions settings;  // of the base, as far as it has them
};

OptionFields fields(CorrectAndSmoothOptions& options);

class CorrectAndSmooth : public Model {
 public:
  CorrectAndSmooth(const Dataset& dataset, const CorrectAndSmoothOptions& options, Threads& threads);

  const ParameterLayout& layout() const override { return base_->layout(); }
  std::vector<DecayRange> decay(double weight_decay) const override { return base_->decay(weight_decay); }
  void initialise(std::uint64_t seed, std::span<Real> parameters) const override {
    base_->initialise(seed, parameters);
  }
  void weigh_classes(std::vector<double> weights) override { base_->weigh_classes(std::move(weights)); }
  void prepare(std::span<const Real> parameters) override { base_->prepare(parameters); }
  double gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) override {
    return base_->gradient(parameters, seed, gradient);
  }
  ConstMatrixView judge(std::span<const Real> parameters) override;
  void keep(std::span<const Real> parameters, TrainedModel& model) const override;
  void constrain(std::span<Real> parameters) const override { base_->constrain(parameters); }
  std::int64_t products() const override { return base_->products() + correction_.products(); }
  ModelSeconds seconds() const override;

 private:
  std::unique_ptr<Model> base_;
  Correction correction_;
  KnownLabels known_;
  Matrix shares_, result_;  // softmax of the base's logits, and what comes out
  double correction_seconds_ = 0;
};

// `front`: the shares that the base predicts.
std::unique_ptr<Predictor> correct_and_smooth_predictor(const TrainedModel& model, ConstMatrixView front,
                                                        Threads& threads);

}  // namespace heatfront
