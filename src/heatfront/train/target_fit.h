// SPDX-License-Identifier: MIT
// From labels that are values, or several per node, to a trained model: every model of models/targets is judged by labels that it was not
// told, and the one with the smallest squared error answers. The linear front answers unless another is better beyond chance.
#pragma once

#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/evaluate/target_metrics.h"
#include "heatfront/models/targets/target_model.h"

namespace heatfront {

struct TargetFitOptions {
  std::string model = "auto";         // or a name of target_models()
  std::vector<std::string> settings;  // "name=value" of TargetOptions
};

struct TargetCandidate {
  std::string name;
  TargetScores scores;  // by labels left out
  double seconds = 0;
};

struct TargetFit {
  TargetModel model;
  std::vector<TargetCandidate> baselines;   // the mean, the neighbours' mean: judged by the same labels
  std::vector<TargetCandidate> candidates;  // in the order in which they were tried
  std::size_t chosen = 0;
};

// Of the training labels of the data set's split.
TargetFit fit_targets(const Dataset& dataset, const TargetFitOptions& options, Threads& threads,
                      const ProgressCallback& progress = {});

// The same again, with the same model and settings, from the labels that it holds now.
TargetFit retrain(const TargetModel& model, Threads& threads, const ProgressCallback& progress = {});

// All labelled nodes train.
Split all_targets(const Dataset& dataset);

// By labels left out: F1 with thresholds that other folds chose, where labels are classes.
TargetScores left_out_scores(const Targets& truth, std::span<const double> said, const TargetUnits& units);

// What heat from all other folds' labels says of each label, for the best of these times by the folds apart from its own, and which time is
// best by all. `front` (n, columns) by fold, what the front says without the labels of the fold; none: there is no front.
struct FlowLeftOut {
  double time = 0;
  std::vector<double> said;  // in the units of the data, row by row as the labels
};
inline constexpr std::size_t kTargetFolds = 10;
FlowLeftOut flow_left_out(const Dataset& dataset, const Targets& known, const TargetUnits& units,
                          const FlowOptions& flow, std::span<const double> times,
                          std::span<const Matrix> fronts, Threads& threads);

}  // namespace heatfront
