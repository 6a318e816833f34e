// SPDX-License-Identifier: MIT
// Training, for every model: full-batch steps, a judgement after each of them, and the best parameters by
// validation. Epoch e judges what step e made, beside step e + 1, which needs the same parameters and changes nothing
// that judging reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/options.h"
#include "heatfront/base/progress.h"
#include "heatfront/models/model.h"
#include "heatfront/nn/optimiser.h"

namespace heatfront {

struct TrainOptions {
  std::int64_t epochs = 300;
  std::int64_t patience = 100;  // epochs without a better one before it stops; 0: never
  std::string select = "validation-accuracy";
  std::string balance = "none";
  OptimiserOptions optimiser;
};

inline constexpr std::string_view kMacroF1 = "macro-f1";  // of `select`
inline constexpr std::string_view kBalanceClasses = "classes";

OptionFields fields(TrainOptions& options);

// How much each label of a class counts in the loss; empty: all alike.
std::vector<double> class_weights(const TrainOptions& options, const Dataset& dataset);

struct TrainSeconds {
  double train = 0;                 // by the clock
  double judge = 0, optimiser = 0;  // judge: scores alone; the rest of judging is the model's
  ModelSeconds model;
};

struct Training {
  std::vector<EpochReport> history;
  EpochReport best;
  ParameterBlock parameters;  // the best
  bool stopped = false;       // by the callback
  bool out_of_patience = false;
  TrainSeconds seconds;
};

// Called after every epoch; false stops with the best so far.
using EpochCallback = std::function<bool(const EpochReport& report, const EpochReport& best)>;

// The data set's split says what trains, selects and tests.
Training train(Model& model, const Dataset& dataset, const TrainOptions& options, std::uint64_t seed,
               Threads& threads, const EpochCallback& on_epoch = {});

}  // namespace heatfront
