// SPDX-License-Identifier: MIT
// From a data set to a trained model in one call: preset, settings, model, training, the best of it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/models/trained_model.h"
#include "heatfront/train/presets.h"
#include "heatfront/train/trainer.h"

namespace heatfront {

struct FitOptions {
  std::string model = "heat-front";
  PresetChoice preset;                // empty: the one named like the data set
  std::vector<std::string> settings;  // "name=value", over the preset
  std::uint64_t seed = 0;
};

struct Fit {
  TrainedModel model;
  std::string preset;           // what was used
  std::int64_t parameters = 0;  // learned numbers
  std::int64_t products = 0;    // of a Laplacian with a state
  Training training;

  // Of the flow alone: same labels, no front. NaN where there are no edges.
  double flow_validation_accuracy = std::numeric_limits<double>::quiet_NaN();
  double flow_test_accuracy = std::numeric_limits<double>::quiet_NaN();
  double flow_time = std::numeric_limits<double>::quiet_NaN();  // that long
};

// Error unless a node has a label.
void require_labels(const Dataset& dataset);

// The data set must have a split.
Fit fit(const Dataset& dataset, const FitOptions& options, Threads& threads,
        const EpochCallback& on_epoch = {});

}  // namespace heatfront
