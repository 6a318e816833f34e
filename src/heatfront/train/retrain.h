// SPDX-License-Identifier: MIT
// The same model again, with the same settings, from the labels that it holds now: anew, or on from where it was.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "heatfront/base/progress.h"
#include "heatfront/train/fit.h"

namespace heatfront {

// What the model knows now trains. Of its split, the validation and test nodes that are not known go on to choose and judge; where none
// chose, training takes as many epochs as folds of the labels say, or as many as it took before. Its log of labels stays. Error
// where the file of an older version does not have the features that it learned from.
Fit retrain(const TrainedModel& model, Threads& threads, const ProgressCallback& progress = {});

// Both ways, judged alike.
struct TrainedFurther {
  Fit fit;               // of the one that was kept
  bool went_on = false;  // from the parameters that the model had
  double anew = std::numeric_limits<double>::quiet_NaN(),
         on = anew;            // accuracies; NaN where it was not tried
  std::int64_t judged = 0;     // by so many nodes
  bool by_validation = false;  // else by labels that came after training, in folds
};

// The same where the model goes on learning from its parameters, unless training anew is right of more of the validation nodes or, where there are
// none, of the labels that it was not trained on, in folds of these. A model that is solved, has parameters of other shapes, or
// holds fewer than ten labels that are new to it is trained anew. Where no node is left to judge by, folds say how good it is
// (TrainedModel::left_out).
TrainedFurther train_further(const TrainedModel& model, Threads& threads,
                             const ProgressCallback& progress = {});

}  // namespace heatfront
