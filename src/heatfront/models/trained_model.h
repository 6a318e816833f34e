// SPDX-License-Identifier: MIT
// What training leaves and everything after it uses: the front and the weights, the graph they belong to, the
// labels held fixed now, and how all that came about.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/data/dataset.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/models/heat_front_options.h"
#include "heatfront/models/left_out.h"

namespace heatfront {

// A row of the training history. Accuracies are shares, NaN where there are no such nodes.
struct EpochReport {
  std::int64_t epoch = 0;   // from 1
  std::int64_t epochs = 0;  // that there are to be, at most
  double loss = 0;          // of the training step that led here
  double validation_loss = 0;
  double train_accuracy = 0, validation_accuracy = 0, test_accuracy = 0;
  double validation_macro_f1 = std::numeric_limits<double>::quiet_NaN();  // known where it chooses
};

enum class LabelSource : std::uint8_t { data, review };

// One label that was set, changed or removed after training; changes of one batch are undone together.
struct LabelChange {
  std::int64_t batch = 0;
  NodeId node = 0;
  ClassId before = kUnknown;
  ClassId after = kUnknown;
  std::int64_t time = 0;  // seconds since 1970, as whoever changed it said; 0: nobody said
  LabelSource from = LabelSource::review;
};

struct NamedMatrix {
  std::string name;
  Matrix values;
};

inline constexpr std::string_view kChosenOption = "chosen";  // among the options, though nobody sets it

struct TrainedModel {
  std::string model;                 // its name in the table of models
  std::vector<std::string> options;  // "name = value", all that it was trained with
  std::uint64_t seed = 0;
  Dataset data;                    // with the split that was used; class_names may hold more classes than
                                   // the front has columns
  DatasetFingerprint fingerprint;  // of all the data
  Matrix
      front;  // n × classes known while training, what the model answers from: raw logits of heat-front and of
              // the models whose answer they are, shares of correct-and-smooth's base, zeros where nothing is
              // learned
  std::vector<Real> theta;    // one per arc; empty: weights were not learned
  std::vector<Real> weights;  // one per arc, as the flow takes them; empty: all 1
  std::vector<NamedMatrix> network;
  std::vector<EpochReport> history;
  std::int64_t best_epoch = 0;
  std::string selected_by;
  LeftOut left_out;      // of training labels, as training judged itself by them; empty: it did not
  double softening = 1;  // of its shares (evaluate/calibration.h), fitted to labels that it was not told
  KnownLabels known;     // held fixed now
  std::vector<LabelChange> log;
  Matrix layout;  // (n, 2), where nodes are drawn (graph/layout.h); empty: not found yet

  const Split& split() const;                           // Error where there is none
  void read_options(const OptionFields& wanted) const;  // those of `options` that are wanted
  HeatFrontOptions heat_front_options() const;
  std::string chosen() const;  // what a model that chooses among its settings came to; empty: nothing
  void set_option(std::string_view name, std::string_view value);
};

// Error (beginning with `where`) unless it is whole: data as every reader leaves it, a split whose nodes have labels, and
// front, weights, known labels, log and settings that belong to it. What reads a model, writes one or works with one asks
// this of it.
void check(const TrainedModel& model, const std::string& where);

}  // namespace heatfront
