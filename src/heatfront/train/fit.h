// SPDX-License-Identifier: MIT
// From a data set to a trained model in one call: preset, settings, model, training, the best of it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/evaluate/confusion.h"
#include "heatfront/models/model_rows.h"
#include "heatfront/models/models.h"
#include "heatfront/models/trained_model.h"
#include "heatfront/train/model_settings.h"
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
  std::string preset = "none";  // what was used
  std::int64_t parameters = 0;  // learned numbers
  std::int64_t products = 0;    // of a Laplacian with a state
  Training training;

  ClassReport
      by_class;  // of the test nodes, or of validation nodes where there is none; without scores where there is neither
  bool by_test_nodes = true;

  // Of the flow alone: same labels, no front. NaN where there are no edges.
  double flow_validation_accuracy = std::numeric_limits<double>::quiet_NaN();
  double flow_test_accuracy = std::numeric_limits<double>::quiet_NaN();
  double flow_time = std::numeric_limits<double>::quiet_NaN();  // that long
};

// Error unless a node has a label.
void require_labels(const Dataset& dataset);

// The data set must have a split. Settings as text, for doors; what is in a range and what is not is the same as below.
// `progress` hears of models that are solved rather than trained in epochs.
Fit fit(const Dataset& dataset, const FitOptions& options, Threads& threads,
        const EpochCallback& on_epoch = {}, const ProgressCallback& progress = {}, const TrainRun& run = {});

// The same on the ranks of a cluster, each with its rows of a graph in parts. Collective. `nodes`, with the split, says of all nodes what
// there is to say but for edges and features, and `arcs` how many of them there are; the first rank is asked for the whole at the end, of which
// the model then is, and gets the fit. Elsewhere only `training` means something.
struct PartedData {
  const Dataset& nodes;
  ArcId arcs;
  const RankData& rows;
  std::function<Dataset()> whole;
};
Fit fit_on_ranks(const PartedData& data, const FitOptions& options, const Cluster& cluster, Threads& threads,
                 const EpochCallback& on_epoch, const TrainRun& run);

// The same of options in a struct: fit(data, HeatFrontOptions{.time = 3}, {.epochs = 60}, seed, threads), and so with the
// struct of every other model. Nothing but what they say is used: no preset, and of training the defaults of TrainOptions,
// where train_defaults<GcnOptions>() has those of a model.
Fit fit(const Dataset& dataset, const ModelOptions& options, const TrainOptions& training, std::uint64_t seed,
        Threads& threads, const EpochCallback& on_epoch = {}, const ProgressCallback& progress = {},
        const TrainRun& run = {});

template <class Options>
concept OptionsOfAModel = requires(const Options& options) {
  model_options(options);
};

template <OptionsOfAModel Options>
Fit fit(const Dataset& dataset, const Options& options, const TrainOptions& training, std::uint64_t seed,
        Threads& threads, const EpochCallback& on_epoch = {}) {
  return fit(dataset, *model_options(options), training, seed, threads, on_epoch);
}

template <OptionsOfAModel Options>
TrainOptions train_defaults() {
  return train_defaults(model_options(Options())->entry());
}

}  // namespace heatfront
