// SPDX-License-Identifier: MIT
// A model with the settings that suit the labels: of its defaults and the few beside them in the table of models, those whose answers
// to folds of the training labels that they were not told are right most often, of equals the likeliest. Then it is trained on all of
// these labels for the number of epochs that the folds chose. Validation nodes are not looked at, so every model has the
// same to go by. What leaves labels out by itself (linear-front, flow-alone) chooses its settings so.
#pragma once

#include <string>
#include <vector>

#include "heatfront/base/progress.h"
#include "heatfront/train/fit.h"

namespace heatfront {

struct ChosenFit {
  Fit fit;
  std::string settings;    // what was chosen beside the defaults, "time=2"; empty: nothing
  std::int64_t tried = 0;  // sets of settings
};

// The sets that are tried, as words of "name=value"; the first is empty: the defaults. `given`: what is set whatever is tried.
std::vector<std::vector<std::string>> few_settings(const ModelEntry& model,
                                                   const std::vector<std::string>& given);

// With the validation nodes withheld, so that nothing but training labels can choose. The data set has a split.
Dataset without_validation(const Dataset& dataset);

// Of the options, the preset is not used. The model is judged by its labels left out, and by the test nodes.
ChosenFit fit_by_folds(const Dataset& dataset, const FitOptions& options, Threads& threads,
                       const ProgressCallback& progress = {});

}  // namespace heatfront
