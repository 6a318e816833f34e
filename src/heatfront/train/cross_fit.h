// SPDX-License-Identifier: MIT
// For how many epochs a model should train, and how good it then is, without holding labels back in the end: it is trained once for each fold of the
// labels on those of the others, and the number of epochs after which all folds together are best serves for all labels. How good it is, each
// fold says after the number of epochs that the other folds would have chosen, lest the luckiest number flatter it.
#pragma once

#include <cstdint>
#include <span>

#include "heatfront/base/progress.h"
#include "heatfront/models/left_out.h"
#include "heatfront/models/models.h"
#include "heatfront/train/trainer.h"

namespace heatfront {

inline constexpr std::size_t kCrossFolds = 5;

struct CrossFit {
  std::int64_t epochs = 0;  // the best number
  LeftOut left_out;         // what is said of each label by the training without its fold
};

// The model, trained on all labels, is judged by these, and its shares are softened as suits them.
void take_left_out(LeftOut left_out, TrainedModel& model);

// Of the data set's training labels; its other parts are not looked at. `training.patience` is not used, and of `.select` whether it is
// macro-f1: then that says which number of epochs is best. `always`, which ascend: labels that train in every fold and judge in none.
CrossFit cross_fit(const Dataset& dataset, const ModelOptions& options, const TrainOptions& training,
                   std::uint64_t seed, Threads& threads, const ProgressCallback& progress,
                   std::span<const NodeId> always = {});

}  // namespace heatfront
