// SPDX-License-Identifier: MIT
#include "heatfront/train/trainer.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/fail.h"
#include "heatfront/base/random.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/diffusion/decide.h"
#include "heatfront/nn/loss.h"
#include "heatfront/train/metrics.h"

namespace heatfront {
namespace {

enum class Selection { accuracy, loss };

Selection selection_named(const std::string& name) {
  if (name == "validation-accuracy") return Selection::accuracy;
  if (name == "validation-loss") return Selection::loss;
  fail("unknown select '{}'; there are: validation-accuracy, validation-loss", name);
}

// The highest accuracy, of equals the lowest loss; or the lowest loss. Without validation nodes the last epoch is
// best.
bool better(Selection selection, const EpochReport& report, const EpochReport& best) {
  if (best.epoch == 0 || std::isnan(report.validation_accuracy)) return true;
  if (selection == Selection::accuracy && report.validation_accuracy != best.validation_accuracy)
    return report.validation_accuracy > best.validation_accuracy;
  return report.validation_loss < best.validation_loss;
}

void score(ConstMatrixView logits, const Dataset& dataset, EpochReport& report) {
  const Split& split = *dataset.split;
  report.validation_loss = cross_entropy(logits, dataset.labels, split.validation);
  report.train_accuracy = accuracy(logits, dataset.labels, split.train);
  report.validation_accuracy = accuracy(logits, dataset.labels, split.validation);
  report.test_accuracy = accuracy(logits, dataset.labels, split.test);
}

void check(const Dataset& dataset, const TrainOptions& options) {
  if (options.epochs < 1) fail("epochs {}: it must be 1 or more", options.epochs);
  if (options.patience < 0) fail("patience {}: it must be 0 or more", options.patience);
  if (!dataset.split || dataset.split->train.empty()) {
    fail(
        "{}: the split has no training nodes; with few labels, 'per-class 1,1' trains on one of each class, "
        "or "
        "give more labels",
        dataset.name);
  }
  for (const auto* part : {&dataset.split->train, &dataset.split->validation, &dataset.split->test}) {
    for (NodeId u : *part) {
      if (dataset.labels[static_cast<std::size_t>(u)] == kUnknown)
        fail("{}: node {} of the split has no label", dataset.name, dataset.node_name(u));
    }
  }
}

// Both, at once where there are threads for it.
template <class First, class Second>
void both(Threads& threads, const First& first, const Second& second) {
  threads.for_blocks(2, 1, [&](std::int64_t which, std::int64_t) {
    if (which == 0) {
      first();
    } else {
      second();
    }
  });
}

}  // namespace

OptionFields fields(TrainOptions& options) {
  return joined(
      {{"epochs", &options.epochs, "Training steps over all nodes"},
       {"patience", &options.patience, "Stop after this many epochs without a better one; 0: never"},
       {"select", &options.select,
        "Which epoch is kept: validation-accuracy (highest) or validation-loss (lowest)"}},
      fields(options.optimiser));
}

Training train(Model& model, const Dataset& dataset, const TrainOptions& options, std::uint64_t seed,
               Threads& threads, const EpochCallback& on_epoch) {
  check(dataset, options);
  const Selection selection = selection_named(options.select);
  const Stopwatch clock;
  ParameterBlock parameters = model.layout().zeros(), gradient = model.layout().zeros();
  const std::unique_ptr<Optimiser> optimiser = make_optimiser(options.optimiser, model.layout().size());
  const std::vector<DecayRange> decay = model.decay(options.optimiser.weight_decay);
  model.initialise(seed, parameters);

  Training result{.parameters = parameters};
  double loss = 0;
  for (std::int64_t epoch = 0; epoch <= options.epochs; ++epoch) {
    EpochReport report{.epoch = epoch, .epochs = options.epochs, .loss = loss};
    model.prepare(parameters);
    const auto judge = [&] {
      if (epoch == 0) return;
      const ConstMatrixView logits = model.judge(parameters);
      const Stopwatch watch;
      score(logits, dataset, report);
      result.seconds.judge += watch.seconds();
    };
    const auto step = [&] {
      if (epoch == options.epochs) return;
      loss = model.gradient(parameters, Random(seed).bits(static_cast<std::uint64_t>(epoch) + 1), gradient);
    };
    both(threads, judge, step);

    if (epoch > 0) {
      if (!std::isfinite(report.loss))
        fail("epoch {}: the loss is no longer finite; a lower learning_rate may help", epoch);
      result.history.push_back(report);
      if (better(selection, report, result.best)) {
        result.best = report;
        std::ranges::copy(parameters, result.parameters.begin());
      }
      result.stopped = on_epoch && !on_epoch(report, result.best);
      result.out_of_patience = options.patience > 0 && epoch - result.best.epoch >= options.patience;
      if (result.stopped || result.out_of_patience) break;
    }
    if (epoch == options.epochs) break;
    const Stopwatch watch;
    optimiser->step(decay, gradient, parameters, threads);
    model.constrain(parameters);
    result.seconds.optimiser += watch.seconds();
  }
  result.seconds.train = clock.seconds();
  result.seconds.model = model.seconds();
  return result;
}

}  // namespace heatfront
