// SPDX-License-Identifier: MIT
// A model that does as another does, for those that change one thing of it.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "heatfront/models/model.h"

namespace heatfront {

class WrappedModel : public Model {
 public:
  explicit WrappedModel(std::unique_ptr<Model> model) : model_(std::move(model)) {}

  const Ranks& ranks() const override { return model_->ranks(); }
  const ParameterLayout& layout() const override { return model_->layout(); }
  std::vector<DecayRange> decay(double weight_decay) const override { return model_->decay(weight_decay); }
  void initialise(std::uint64_t seed, std::span<Real> parameters) const override {
    model_->initialise(seed, parameters);
  }
  void weigh_classes(std::vector<double> weights) override { model_->weigh_classes(std::move(weights)); }
  void report_to(const ProgressCallback& progress) override { model_->report_to(progress); }
  void prepare(std::span<const Real> parameters) override { model_->prepare(parameters); }
  double gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) override {
    return model_->gradient(parameters, seed, gradient);
  }
  ConstMatrixView judge(std::span<const Real> parameters) override { return model_->judge(parameters); }
  ConstMatrixView judge_all(std::span<const Real> parameters) override {
    return model_->judge_all(parameters);
  }
  void keep(std::span<const Real> parameters, TrainedModel& model) const override {
    model_->keep(parameters, model);
  }
  std::vector<NamedMatrix> whole_block(std::span<const Real> block) const override {
    return model_->whole_block(block);
  }
  void take_block(const std::vector<NamedMatrix>& whole, std::span<Real> block) const override {
    model_->take_block(whole, block);
  }
  void constrain(std::span<Real> parameters) const override { model_->constrain(parameters); }
  std::int64_t products() const override { return model_->products(); }
  ModelSeconds seconds() const override { return model_->seconds(); }

 private:
  std::unique_ptr<Model> model_;
};

}  // namespace heatfront
