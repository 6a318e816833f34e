// SPDX-License-Identifier: MIT
#include "heatfront/train/retrain.h"

#include <algorithm>
#include <utility>

#include "heatfront/models/held_data.h"
#include "heatfront/train/cross_fit.h"
#include "heatfront/train/model_settings.h"

namespace heatfront {
Fit retrain(const TrainedModel& model, Threads& threads, const ProgressCallback& progress) {
  check(model, model.data.name);
  const ModelSettings settings(model.model);
  require_features(model);
  model.read_options(settings.fields);
  Dataset data = with_held_labels(model.data, model.known);
  data.added = 0;  // all of it trains
  TrainOptions training = settings.training;
  CrossFit folds;
  const bool learns = settings.entry.loss != kNoLoss;
  if (learns && data.split->validation.empty()) {
    training.patience = 0;
    training.epochs = std::max<std::int64_t>(1, model.best_epoch);
    if (!model.left_out.nodes.empty()) {
      training.epochs = train_defaults(settings.entry).epochs;
      folds = cross_fit(data, *settings.model, training, model.seed, threads, progress);
      training.epochs = folds.epochs;
    }
  }
  Fit result = fit(
      data, *settings.model, training, model.seed, threads,
      [&](const EpochReport& epoch, const EpochReport&) {
        report(progress, {.stage = "training", .done = epoch.epoch, .total = epoch.epochs, .unit = "epochs"});
        return true;
      },
      progress);
  if (!folds.left_out.nodes.empty()) take_left_out(std::move(folds.left_out), result.model);
  result.model.log = model.log;
  result.model.layout = model.layout;
  return result;
}

}  // namespace heatfront
