// SPDX-License-Identifier: MIT
// What a model holds of its data: the labels as they are now, with where each came from, and the features that it learned from.
#pragma once

#include <cstdint>
#include <vector>

#include "heatfront/models/trained_model.h"

namespace heatfront {

// A label that is held fixed now.
struct HeldLabel {
  NodeId node = 0;
  ClassId label = 0;
  LabelSource from = LabelSource::data;
  std::int64_t batch = 0;  // of the log; 0: it was there when the model was trained first
  std::int64_t time = 0;   // seconds since 1970; 0: nobody said
};

std::vector<HeldLabel> held_labels(const TrainedModel& model);  // by node

// How labels that are held differ from those that a split says train.
struct HeldChanges {
  std::int64_t added = 0, changed = 0, removed = 0;

  bool any() const { return added + changed + removed > 0; }
};
HeldChanges changes_since_training(const Dataset& data, const KnownLabels& known);

// The data with the labels that are held. They train, so they judge no longer; a training label that was taken away is gone, and labels
// that were held back to judge by stay.
Dataset with_held_labels(Dataset data, const KnownLabels& known);

// Error where a model that learns from features does not hold them, as the files of older versions do not.
void require_features(const TrainedModel& model);

}  // namespace heatfront
