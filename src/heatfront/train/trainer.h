// SPDX-License-Identifier: MIT
// Training, for every model: full-batch steps, a judgement after each of them, and the best parameters by
// validation. Epoch e judges what step e made, beside step e + 1, which needs the same parameters and changes nothing
// that judging reads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
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
std::vector<double> class_weights(const TrainOptions& options, const Dataset& dataset, const Ranks& ranks);

struct TrainSeconds {
  double train = 0;                 // by the clock
  double judge = 0, optimiser = 0;  // judge: scores alone; the rest of judging is the model's
  ModelSeconds model;
};

// Where training stands after a step, whatever number of ranks it runs on: the same command goes on from there.
struct Checkpoint {
  std::string where = "the checkpoint";  // for messages
  std::string of;                        // model, settings, seed and data, which must be the same
  std::int64_t epoch = 0;                // steps done
  double loss = 0;                       // of the last of them
  std::vector<NamedMatrix> parameters, best;
  std::vector<std::vector<NamedMatrix>> memory;  // of the optimiser
  std::vector<EpochReport> history;
};

// How a long training is run; none of it changes what a step is.
struct TrainRun {
  std::int64_t judge_every =
      1;  // epochs; the last one is judged always, and only one that is judged can be kept
  std::int64_t save_every = 100;                // epochs
  std::function<void(const Checkpoint&)> save;  // called on the first rank; empty: nothing is saved
  std::optional<Checkpoint> from;               // to go on with
};

struct Training {
  std::int64_t epochs = 0;           // done
  std::int64_t epochs_before = 0;    // of them, before the checkpoint that it went on from
  std::vector<EpochReport> history;  // of those that were judged
  EpochReport best;
  ParameterBlock parameters;  // the best
  bool stopped = false;       // by the callback
  bool out_of_patience = false;
  TrainSeconds seconds;
};

// Called after every epoch that is judged; false stops with the best so far.
using EpochCallback = std::function<bool(const EpochReport& report, const EpochReport& best)>;

// The data set's split says what trains, selects and tests. Where the model has the rows of one of several ranks, so has the data set, and
// the call is collective; `of` names what a checkpoint is of.
Training train(Model& model, const Dataset& dataset, const TrainOptions& options, std::uint64_t seed,
               Threads& threads, const EpochCallback& on_epoch = {}, const TrainRun& run = {},
               const std::string& of = "");

}  // namespace heatfront
