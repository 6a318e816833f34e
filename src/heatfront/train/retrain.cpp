// SPDX-License-Identifier: MIT
#include "heatfront/train/retrain.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "heatfront/models/grow.h"
#include "heatfront/models/held_data.h"
#include "heatfront/models/wrapped_model.h"
#include "heatfront/train/cross_fit.h"
#include "heatfront/train/model_settings.h"

namespace heatfront {
namespace {

constexpr std::size_t kLeastNewLabels = 10;  // fewer say nothing of which way is better

// Begins with given parameters.
class ContinuedModel : public WrappedModel {
 public:
  ContinuedModel(std::unique_ptr<Model> model, const ParameterBlock& start)
      : WrappedModel(std::move(model)), start_(start) {}

  void initialise(std::uint64_t, std::span<Real> parameters) const override {
    std::ranges::copy(start_, parameters.begin());
  }

 private:
  const ParameterBlock& start_;
};

// The options of a model that goes on from given parameters. Both are lent.
class ContinuedOptions : public ModelOptions {
 public:
  ContinuedOptions(ModelOptions& options, const ParameterBlock& start) : options_(options), start_(start) {}

  const ModelEntry& entry() const override { return options_.entry(); }
  OptionFields fields() override { return options_.fields(); }
  std::vector<std::string> lines() const override { return options_.lines(); }
  std::unique_ptr<Model> make(const Dataset& dataset, Threads& threads) const override {
    return std::make_unique<ContinuedModel>(options_.make(dataset, threads), start_);
  }
  std::unique_ptr<Model> make(const ModelRows& rows, Threads& threads) const override {
    return std::make_unique<ContinuedModel>(options_.make(rows, threads), start_);
  }

 private:
  ModelOptions& options_;
  const ParameterBlock& start_;
};

class Retraining {
 public:
  Retraining(const TrainedModel& model, Threads& threads, const ProgressCallback& progress)
      : model_(model), settings_(model.model), threads_(threads), progress_(progress) {
    require_features(model);
    model.read_options(settings_.fields);
    data_ = with_held_labels(model.data, model.known);
    data_.added = 0;  // all of it trains
    training_ = settings_.training;
  }

  bool learns() const { return settings_.entry.loss != kNoLoss; }
  const Split& split() const { return *data_.split; }
  const Dataset& data() const { return data_; }
  ModelOptions& options() { return *settings_.model; }

  // The parameters that the model has, where they fit and enough labels have come to say what they are worth.
  std::optional<ParameterBlock> start() {
    if (!learns() || new_labels().size() < kLeastNewLabels) return std::nullopt;
    return learned_parameters(model_, settings_.model->make(data_, threads_)->layout());
  }

  std::vector<NodeId> new_labels() const {
    std::vector<NodeId> nodes;
    for (NodeId u : split().train)
      if (!was_trained_on(u)) nodes.push_back(u);
    return nodes;
  }

  CrossFit folds(const ModelOptions& options, std::span<const NodeId> always = {}) {
    TrainOptions longest = training_;
    longest.epochs = train_defaults(settings_.entry).epochs;
    return cross_fit(data_, options, longest, model_.seed, threads_, progress_, always);
  }

  std::vector<NodeId> old_labels() const {
    std::vector<NodeId> nodes;
    for (NodeId u : split().train)
      if (was_trained_on(u)) nodes.push_back(u);
    return nodes;
  }

  Fit fit(const ModelOptions& options) const { return fit(options, training_); }
  Fit fit(const ModelOptions& options, std::int64_t epochs) const {
    TrainOptions training = training_;
    training.patience = 0;
    training.epochs = std::max<std::int64_t>(1, epochs);
    return fit(options, training);
  }

  // As many epochs as the folds say, and judged by them.
  Fit fit(const ModelOptions& options, CrossFit folds) const {
    Fit result = fit(options, folds.epochs);
    take_left_out(std::move(folds.left_out), result.model);
    return result;
  }

 private:
  bool was_trained_on(NodeId u) const {
    return std::ranges::binary_search(model_.split().train, u) &&
           model_.data.labels[at(u)] == data_.labels[at(u)];
  }

  Fit fit(const ModelOptions& options, const TrainOptions& training) const {
    Fit result = heatfront::fit(
        data_, options, training, model_.seed, threads_,
        [&](const EpochReport& epoch, const EpochReport&) {
          report(progress_,
                 {.stage = "training", .done = epoch.epoch, .total = epoch.epochs, .unit = "epochs"});
          return true;
        },
        progress_);
    result.model.log = model_.log;
    result.model.layout = model_.layout;
    return result;
  }

  const TrainedModel& model_;
  ModelSettings settings_;
  Threads& threads_;
  const ProgressCallback& progress_;
  Dataset data_;
  TrainOptions training_;
};

double right_of(const LeftOut& left_out, std::span<const NodeId> nodes, const Dataset& data) {
  double right = 0;
  for (std::size_t i = 0; i < left_out.nodes.size(); ++i) {
    if (!std::ranges::binary_search(nodes, left_out.nodes[i])) continue;
    const auto row = left_out.shares.row(static_cast<std::int64_t>(i));
    right += std::ranges::max_element(row) - row.begin() == data.labels[at(left_out.nodes[i])];
  }
  return right / static_cast<double>(nodes.size());
}

}  // namespace

Fit retrain(const TrainedModel& model, Threads& threads, const ProgressCallback& progress) {
  check(model, model.data.name);
  Retraining training(model, threads, progress);
  if (!training.learns() || !training.split().validation.empty()) return training.fit(training.options());
  if (model.left_out.nodes.empty()) return training.fit(training.options(), model.best_epoch);
  return training.fit(training.options(), training.folds(training.options()));
}

TrainedFurther train_further(const TrainedModel& model, Threads& threads, const ProgressCallback& progress) {
  check(model, model.data.name);
  Retraining training(model, threads, progress);
  TrainedFurther result;
  const bool by_folds = training.learns() && training.split().validation.empty() &&
                        (training.split().test.empty() || !model.left_out.nodes.empty());
  if (training.learns() && training.split().validation.empty() && !by_folds) {
    result.fit =
        training.fit(training.options(), model.best_epoch);  // the test nodes judge, and must not choose
    return result;
  }
  CrossFit folds;
  if (by_folds) {
    folds = training.folds(training.options());
  } else {
    result.fit = training.fit(training.options());
  }
  if (const std::optional<ParameterBlock> start = training.start()) {
    const ContinuedOptions on(training.options(), *start);
    if (by_folds) {
      const std::vector<NodeId> later = training.new_labels();
      CrossFit continued = training.folds(on, training.old_labels());
      result.judged = std::ssize(later);
      result.anew = right_of(folds.left_out, later, training.data());
      result.on = right_of(continued.left_out, later, training.data());
      result.went_on = result.on >= result.anew;
      if (result.went_on) result.fit = training.fit(on, std::move(continued));
    } else {
      Fit continued = training.fit(on);
      result.by_validation = true;
      result.judged = std::ssize(training.split().validation);
      result.anew = result.fit.training.best.validation_accuracy;
      result.on = continued.training.best.validation_accuracy;
      result.went_on = result.on >= result.anew;
      if (result.went_on) result.fit = std::move(continued);
    }
  }
  if (by_folds && !result.went_on) result.fit = training.fit(training.options(), std::move(folds));
  return result;
}

}  // namespace heatfront
