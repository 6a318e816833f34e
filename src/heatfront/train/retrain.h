// SPDX-License-Identifier: MIT
// The same model again, with the same settings, from the labels that it holds now.
#pragma once

#include "heatfront/base/progress.h"
#include "heatfront/train/fit.h"

namespace heatfront {

// What the model knows now trains. Of its split, the validation and test nodes that are not known go on to choose and judge; where none
// chose, training takes as many epochs as folds of the labels say, or as many as it took before. Its log of labels stays. Error
// where the file of an older version does not have the features that it learned from.
Fit retrain(const TrainedModel& model, Threads& threads, const ProgressCallback& progress = {});

}  // namespace heatfront
