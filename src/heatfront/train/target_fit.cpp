// SPDX-License-Identifier: MIT
#include "heatfront/train/target_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/base/text.h"
#include "heatfront/models/linear_front/linear_fit.h"
#include "heatfront/models/targets/target_predictor.h"

namespace heatfront {
namespace {

// A candidate has to be better than the one before by so many standard deviations of the difference.
constexpr double kTargetChance = 1;
constexpr std::size_t kNoFold = std::numeric_limits<std::size_t>::max();

// Is the mean of `first` larger than that of `other` by more than chance would have it, pair by pair?
bool has_smaller_errors(std::span<const double> other, std::span<const double> first) {
  const auto count = static_cast<double>(first.size());
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < first.size(); ++i) mean += (first[i] - other[i]) / count;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double gap = first[i] - other[i] - mean;
    square += gap * gap / count;
  }
  return mean > 0 && mean > kTargetChance * std::sqrt(square / count);
}

// One model, fitted to all labels, and what it says of each without it.
struct FittedTargets {
  TargetModel model;
  std::vector<double> errors;  // squared, by label left out
  TargetScores scores;
  double seconds = 0;
};

class TargetTrainer {
 public:
  TargetTrainer(const Dataset& dataset, TargetOptions options, Threads& threads)
      : dataset_(dataset),
        options_(std::move(options)),
        threads_(threads),
        known_(targets_at(dataset.targets, dataset.split->train)),
        units_(units_of(known_)) {}

  const Targets& known() const { return known_; }
  const TargetUnits& units() const { return units_; }

  FittedTargets fit(const TargetModelEntry& entry) {
    const Stopwatch watch;
    FittedTargets
        result;  // not in braces: GCC 12 destroys a member twice when a designated initialiser throws
    TargetModel& model = result.model;
    model.model = entry.name;
    model.options = lines_of(fields(options_));
    model.data = dataset_;
    model.fingerprint = fingerprint(dataset_);
    model.units = units_;
    model.known = known_;
    model.left_out = known_.nodes;
    if (entry.has_front) {
      choose();
      model.fronts = fronts_;
      model.front = front_;
      model.left_out = choice_.nodes;
      if (!entry.has_flow) model.left_out_said = left_out_said_;
    }
    if (entry.has_flow) {
      const FlowLeftOut flow = flow_left_out(
          dataset_, known_, units_, options_.flow(options_.flow_time.back()), options_.flow_time,
          entry.has_front ? fronts_without_folds() : std::vector<Matrix>(), threads_);
      model.flow_time = flow.time;
      model.left_out = known_.nodes;
      model.left_out_said = flow.said;
    }
    const Targets truth = targets_at(known_, model.left_out);
    result.scores = left_out_scores(truth, model.left_out_said, units_);
    result.errors = squared_errors(truth, model.left_out_said, units_);
    if (known_.kind == LabelKind::many) model.thresholds = best_thresholds(truth, model.left_out_said);
    result.seconds = watch.seconds();
    return result;
  }

 private:
  // The fronts, once for all models that have them.
  void choose() {
    if (!fronts_.empty()) return;
    const FrontChoices choices = front_choices(checked(options_.front, "linear-front"), dataset_);
    std::vector<FrontFeatures> features;
    for (const std::string& view : choices.features) features.emplace_back(view, dataset_);
    const FrontTargets targets = front_targets(known_, units_);
    choice_ = choose_fronts(dataset_, dataset_.weights, features, choices, targets, options_.front.flow({}),
                            threads_);
    std::vector<Matrix> alphas;
    for (ChosenFront& front : choice_.fronts) {
      fronts_.push_back({front.setting, front.kappa, front.weight});
      alphas.push_back(std::move(front.alpha));
    }
    LinearFit fit(dataset_, dataset_.weights, fronts_, options_.front.flow({}), threads_);
    if (alphas.front().rows() > 0) {
      fit.fit(targets, alphas);
    } else {
      fit.fit(targets);
    }
    front_ = Matrix(fit.values().rows, fit.values().cols);
    for (std::int64_t u = 0; u < front_.rows(); ++u)
      std::ranges::copy(fit.values().row(u), front_.row(u).begin());
    const bool many = known_.kind == LabelKind::many;
    for (std::int64_t i = 0; i < choice_.left_out.rows(); ++i) {
      const auto row = choice_.left_out.row(i);
      for (std::size_t c = 0; c < row.size(); ++c) {
        const double said = units_.centre[c] + units_.scale[c] * static_cast<double>(row[c]);
        left_out_said_.push_back(many ? std::clamp(said, 0.0, 1.0) : said);
      }
    }
  }

  // What the chosen fronts say when the labels of a fold are not there, by fold.
  std::vector<Matrix> fronts_without_folds() {
    std::vector<Matrix> result;
    LinearFit fit(dataset_, dataset_.weights, fronts_, options_.front.flow({}), threads_);
    fit.fit(front_targets(known_, units_));
    for (std::size_t fold = 0; fold < std::min(kTargetFolds, known_.size()); ++fold) {
      std::vector<std::size_t> places;
      for (std::size_t i = fold; i < known_.size(); i += kTargetFolds) places.push_back(i);
      result.push_back(fit.values_without(places));
    }
    return result;
  }

  const Dataset& dataset_;
  TargetOptions options_;
  Threads& threads_;
  Targets known_;
  TargetUnits units_;
  FrontChoice choice_;
  std::vector<FittedFront> fronts_;
  Matrix front_;
  std::vector<double> left_out_said_;
};

// Σ of the squared errors outside of one fold, by time; times × labels × columns of what was said.
std::size_t best_flow_time(const std::vector<std::vector<double>>& said, const Targets& known,
                           const TargetUnits& units, std::size_t without_fold) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < said.size(); ++t) {
    const std::vector<double> errors = squared_errors(known, said[t], units);
    double sum = 0;
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (i % kTargetFolds != without_fold) sum += errors[i];
    if (sum >= least) continue;
    least = sum;
    best = t;
  }
  return best;
}

TargetCandidate baseline(std::string name, const Targets& known, const TargetUnits& units,
                         std::span<const double> said) {
  return {.name = std::move(name), .scores = left_out_scores(known, said, units)};
}

void check_trains(const Dataset& dataset) {
  check(dataset, dataset.name);
  const std::string_view what = entry_of(dataset.targets.kind).several;
  if (!dataset.targets.present()) fail("{}: its labels are classes, not {}", dataset.name, what);
  if (!dataset.split) fail("{} has no split that says which labels train", dataset.name);
  const Targets known = targets_at(dataset.targets, dataset.split->train);
  if (known.size() != dataset.split->train.size())
    fail("{}: {} of the training nodes have no label; give them one, or take them out of the split",
         dataset.name, dataset.split->train.size() - known.size());
  if (known.size() < 3)
    fail("{}: {} to learn from; with fewer than 3 none can be left out to judge by: give more", dataset.name,
         counted(std::ssize(known.nodes), "label"));
}

}  // namespace

FlowLeftOut flow_left_out(const Dataset& dataset, const Targets& known, const TargetUnits& units,
                          const FlowOptions& options, std::span<const double> times,
                          std::span<const Matrix> fronts, Threads& threads) {
  std::vector<double> ascending(times.begin(), times.end());
  std::ranges::sort(ascending);
  if (ascending.empty()) fail("{}: no time to choose from; give flow_time one or more", dataset.name);
  const std::size_t columns = known.columns();
  const bool many = known.kind == LabelKind::many;
  Flow flow(dataset.graph, dataset.weights, options, threads);
  std::vector<std::vector<double>> said(ascending.size(), std::vector<double>(known.values.size()));
  for (std::size_t fold = 0; fold < std::min(kTargetFolds, known.size()); ++fold) {
    std::vector<bool> left_out(known.size());
    for (std::size_t i = fold; i < known.size(); i += kTargetFolds) left_out[i] = true;
    const Targets others = without(known, left_out);
    std::vector<double> rows = front_targets(others, units).values;
    const ConstMatrixView front = fronts.empty() ? ConstMatrixView{} : fronts[fold].view();
    for (std::size_t j = 0; j < others.size() && front.rows > 0; ++j)
      for (std::size_t c = 0; c < columns; ++c)
        rows[j * columns + c] -= static_cast<double>(front.row(others.nodes[j])[c]);
    flow.hold(others.nodes);
    std::size_t t = 0;
    flow.curve(ascending, held_state(dataset.nodes(), others, rows), [&](double, const Temperatures& then) {
      for (std::size_t i = fold; i < known.size(); i += kTargetFolds) {
        for (std::size_t c = 0; c < columns; ++c) {
          double f = static_cast<double>(then.values.row(known.nodes[i])[c]);
          if (front.rows > 0) f += static_cast<double>(front.row(known.nodes[i])[c]);
          const double value = units.centre[c] + units.scale[c] * f;
          said[t][i * columns + c] = many ? std::clamp(value, 0.0, 1.0) : value;
        }
      }
      ++t;
      return true;
    });
  }
  FlowLeftOut result{.time = ascending[best_flow_time(said, known, units, kNoFold)],
                     .said = std::vector<double>(known.values.size())};
  for (std::size_t fold = 0; fold < std::min(kTargetFolds, known.size()); ++fold) {
    const std::vector<double>& best = said[best_flow_time(said, known, units, fold)];
    for (std::size_t i = fold; i < known.size(); i += kTargetFolds)
      for (std::size_t c = 0; c < columns; ++c) result.said[i * columns + c] = best[i * columns + c];
  }
  return result;
}

TargetScores left_out_scores(const Targets& truth, std::span<const double> said, const TargetUnits& units) {
  return truth.kind == LabelKind::many ? class_scores_by_folds(truth, said, units)
                                       : value_scores(truth, said, units);
}

Split all_targets(const Dataset& dataset) {
  return {.name = "all labels", .train = dataset.targets.nodes, .validation = {}, .test = {}};
}

TargetFit fit_targets(const Dataset& dataset, const TargetFitOptions& options, Threads& threads,
                      const ProgressCallback& progress) {
  check_trains(dataset);
  TargetOptions settings;
  for (const std::string& setting : options.settings)
    set_option(fields(settings), setting, "--set " + setting);
  std::vector<const TargetModelEntry*> entries;
  if (options.model == "auto") {
    for (const TargetModelEntry& entry : target_models()) entries.push_back(&entry);
  } else {
    entries.push_back(&find_target_model(options.model));
  }
  // Where nothing leads anywhere, nothing flows.
  if (dataset.graph.arcs() == 0 && options.model == "auto")
    std::erase_if(entries, [](const TargetModelEntry* entry) { return entry->has_flow; });

  TargetTrainer trainer(dataset, std::move(settings), threads);
  const Targets& known = trainer.known();
  TargetFit result;
  result.baselines = {baseline("the mean", known, trainer.units(), always_the_mean(known, known.nodes)),
                      baseline("neighbours' mean", known, trainer.units(),
                               neighbours_mean(dataset.graph, dataset.weights, known, known.nodes))};
  std::vector<double> errors;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    report(progress, {.stage = std::string(entries[i]->name),
                      .done = static_cast<std::int64_t>(i),
                      .total = std::ssize(entries),
                      .unit = "fits"});
    FittedTargets fitted = trainer.fit(*entries[i]);
    result.candidates.push_back({std::string(entries[i]->name), fitted.scores, fitted.seconds});
    // Where a sample of the labels chose, only these are known of both.
    const bool comparable = i == 0 || fitted.errors.size() == errors.size();
    if (i == 0 ||
        (comparable ? has_smaller_errors(fitted.errors, errors)
                    : fitted.scores.mean_square < result.candidates[result.chosen].scores.mean_square)) {
      result.chosen = i;
      result.model = std::move(fitted.model);
      errors = std::move(fitted.errors);
    }
  }
  return result;
}

TargetFit retrain(const TargetModel& model, Threads& threads, const ProgressCallback& progress) {
  check(model, model.data.name);
  Dataset data = model.data;
  for (std::size_t i = 0; i < model.known.size(); ++i)
    data.targets.set(model.known.nodes[i], model.known.row(i));
  data.split = judged_by(model.split(), model.known.nodes).split;
  data.split->train = model.known.nodes;
  data.split->name = "labels held";
  TargetFit result = fit_targets(data, {.model = model.model, .settings = model.options}, threads, progress);
  result.model.log = model.log;
  return result;
}

}  // namespace heatfront
