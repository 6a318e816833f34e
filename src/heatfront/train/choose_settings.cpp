// SPDX-License-Identifier: MIT
#include "heatfront/train/choose_settings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "heatfront/base/text.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/train/cross_fit.h"
#include "heatfront/train/model_settings.h"

namespace heatfront {
namespace {

std::unique_ptr<ModelSettings> settings_with(std::string_view model, const std::vector<std::string>& some,
                                             const std::vector<std::string>& given) {
  auto settings = std::make_unique<ModelSettings>(model);
  for (const auto* list : {&some, &given}) {
    for (const std::string& setting : *list) set_option(settings->fields, setting, setting);
  }
  return settings;
}

struct FoldScore {
  double accuracy = -1, log_shares = 0;

  bool operator>(const FoldScore& other) const {
    return accuracy != other.accuracy ? accuracy > other.accuracy : log_shares > other.log_shares;
  }
};

FoldScore score_of(const LeftOut& left_out, std::span<const ClassId> labels) {
  FoldScore score{.accuracy = accuracy(left_out, labels)};
  for (std::size_t i = 0; i < left_out.nodes.size(); ++i) {
    const auto row = left_out.shares.row(static_cast<std::int64_t>(i));
    score.log_shares += std::log(std::max(static_cast<double>(row[at(labels[at(left_out.nodes[i])])]), 1e-6));
  }
  return score;
}

}  // namespace

Dataset without_validation(const Dataset& dataset) {
  Dataset result = dataset;
  std::ranges::copy(result.split->validation, std::back_inserter(result.split->withheld));
  result.split->validation.clear();
  return result;
}

std::vector<std::vector<std::string>> few_settings(const ModelEntry& model,
                                                   const std::vector<std::string>& given) {
  std::vector<std::vector<std::string>> sets = {{}};
  for (const std::string& line : split_at(model.few, '\n')) sets.push_back(split_at(line, ' '));
  std::vector<std::vector<std::string>> result, seen;
  for (std::vector<std::string>& some : sets) {
    std::vector<std::string> lines = lines_of(settings_with(model.name, some, given)->fields);
    if (std::ranges::count(seen, lines) > 0) continue;  // what is given leaves no choice of it
    seen.push_back(std::move(lines));
    result.push_back(std::move(some));
  }
  return result;
}

ChosenFit fit_by_folds(const Dataset& dataset, const FitOptions& options, Threads& threads,
                       const ProgressCallback& progress) {
  const ModelEntry& entry = find_model(options.model);
  check(dataset, dataset.name);
  check_labelled_split(dataset, dataset.name);
  const Dataset data = without_validation(dataset);
  const std::vector<std::vector<std::string>> sets = few_settings(entry, options.settings);
  ChosenFit result{.fit = {}, .settings = {}, .tried = std::ssize(sets)};
  const bool chooses = entry.loss == kNoLoss && sets.size() == 1;  // by itself
  const std::vector<std::string>* best = &sets.front();
  CrossFit best_folds;
  FoldScore best_score;
  for (std::size_t i = 0; i < sets.size() && !chooses; ++i) {
    const auto settings = settings_with(entry.name, sets[i], options.settings);
    CrossFit folds = cross_fit(data, *settings->model, settings->training, options.seed, threads, progress);
    const FoldScore score = score_of(folds.left_out, data.labels);
    if (i > 0 && !(score > best_score)) continue;
    best = &sets[i];
    best_score = score;
    best_folds = std::move(folds);
  }
  const auto settings = settings_with(entry.name, *best, options.settings);
  if (!chooses) {
    settings->training.epochs = best_folds.epochs;
    settings->training.patience = 0;
  }
  result.settings = join(*best, " ");
  result.fit = fit(
      data, *settings->model, settings->training, options.seed, threads,
      [&](const EpochReport& epoch, const EpochReport&) {
        report(progress, {.stage = "training", .done = epoch.epoch, .total = epoch.epochs, .unit = "epochs"});
        return true;
      });
  if (!chooses) take_left_out(std::move(best_folds.left_out), result.fit.model);
  return result;
}

}  // namespace heatfront
