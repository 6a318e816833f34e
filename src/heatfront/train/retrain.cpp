// SPDX-License-Identifier: MIT
#include "heatfront/train/retrain.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/train/cross_fit.h"
#include "heatfront/train/model_settings.h"

namespace heatfront {
namespace {

Dataset with_known_labels(const TrainedModel& model) {
  Dataset data = model.data;
  for (std::size_t i = 0; i < model.known.nodes.size(); ++i)
    data.labels[at(model.known.nodes[i])] = model.known.classes[i];
  data.split = judged_by(model.split(), model.known.nodes).split;
  data.split->train = model.known.nodes;
  std::ranges::sort(data.split->train);
  data.split->name = "labels held";
  return data;
}

}  // namespace

Fit retrain(const TrainedModel& model, Threads& threads, const ProgressCallback& progress) {
  check(model, model.data.name);
  const ModelSettings settings(model.model);
  if (settings.entry.uses.features && fingerprint(model.data).features != model.fingerprint.features)
    fail(
        "{}: the model does not hold the features that it was trained on, as those of older versions do not; "
        "train anew "
        "with `heatfront train DATA`, with all labels in the data",
        model.data.name);
  model.read_options(settings.fields);
  const Dataset data = with_known_labels(model);
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
  return result;
}

}  // namespace heatfront
