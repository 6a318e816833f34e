// SPDX-License-Identifier: MIT
#include "heatfront/train/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "heatfront/base/find_named.h"
#include "heatfront/base/random.h"
#include "heatfront/base/ranks.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/decide.h"
#include "heatfront/nn/loss.h"

namespace heatfront {
namespace {

enum class Selection { accuracy, loss, both, macro_f1 };

struct SelectionName {
  std::string_view name, what;
  Selection selection;
};
constexpr std::array<SelectionName, 4> kSelections = {
    {{"validation-accuracy", "highest", Selection::accuracy},
     {"validation-loss", "lowest", Selection::loss},
     {"validation-both", "the last as good as any before in both", Selection::both},
     {kMacroF1, "highest on validation nodes, every class counting alike", Selection::macro_f1}}};

// Which epoch is kept, and for how long none was better.
//
//     accuracy   the highest, of equals the lowest loss
//     macro_f1   the highest, of equals the lowest loss
//     loss       the lowest
//     both       the last one that matched or beat the highest accuracy and the lowest loss so far; patience counts
//                from the last one that did so with either (the rule of graph attention networks)
//
// Without validation nodes the last epoch is kept.
class Selector {
 public:
  explicit Selector(const TrainOptions& options)
      : selection_(
            find_named(std::span<const SelectionName>(kSelections), options.select, "select").selection),
        patience_(options.patience) {}

  bool by_macro_f1() const { return selection_ == Selection::macro_f1; }

  // Is this one to be kept?
  bool take(const EpochReport& report) {
    const double measure = by_macro_f1() ? report.validation_macro_f1 : report.validation_accuracy;
    const bool higher = measure > accuracy_, as_high = measure == accuracy_;
    const bool lower = report.validation_loss < loss_, as_low = report.validation_loss == loss_;
    const bool first = report.epoch == 1 || std::isnan(report.validation_accuracy);
    bool kept = first, hopeful = first;
    if (selection_ == Selection::both) {
      kept = kept || ((higher || as_high) && (lower || as_low));
      hopeful = hopeful || higher || as_high || lower || as_low;
      accuracy_ = first ? measure : std::max(accuracy_, measure);
      loss_ = first ? report.validation_loss : std::min(loss_, report.validation_loss);
    } else {
      kept = kept || (selection_ != Selection::loss && !as_high ? higher : lower);
      hopeful = kept;
      if (kept) {
        accuracy_ = measure;
        loss_ = report.validation_loss;
      }
    }
    if (hopeful) last_hopeful_ = report.epoch;
    return kept;
  }

  bool out_of_patience(std::int64_t epoch) const {
    return patience_ > 0 && epoch - last_hopeful_ >= patience_;
  }

 private:
  Selection selection_;
  std::int64_t patience_;
  double accuracy_ = 0, loss_ = 0;  // or macro F1; of the epoch kept; with both: the best of each
  std::int64_t last_hopeful_ = 0;
};

void score(ConstMatrixView logits, const Dataset& dataset, bool by_macro_f1, const Ranks& ranks,
           EpochReport& report) {
  const Split& split = *dataset.split;
  const auto everywhere = [&](std::size_t count) { return ranks.sum(static_cast<double>(count)); };
  const auto share = [&](const std::vector<NodeId>& nodes) {
    return everywhere(count_right(logits, dataset.labels, nodes)) / everywhere(nodes.size());
  };
  report.validation_loss =
      ranks.sum(cross_entropy(logits, dataset.labels, split.validation,
                              static_cast<std::int64_t>(everywhere(split.validation.size()))));
  report.train_accuracy = share(split.train);
  report.validation_accuracy = share(split.validation);
  report.test_accuracy = share(split.test);
  if (by_macro_f1) report.validation_macro_f1 = macro_f1(logits, dataset.labels, split.validation, ranks);
}

void check(const Dataset& dataset, const TrainOptions& options, const Ranks& ranks) {
  checked(options, "training");
  if (ranks.count() == 1) heatfront::check(dataset, dataset.name);  // a rank may have no nodes
  if (!dataset.split || ranks.sum(static_cast<double>(dataset.split->train.size())) == 0) {
    fail(
        "{}: the split has no training nodes; with few labels, --split \"per-class 1,1\" trains on one of "
        "each "
        "class; or give more labels",
        dataset.name);
  }
  check_labelled_split(dataset, dataset.name);
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
  OptionRange selections;
  for (const SelectionName& entry : kSelections) selections.choices.push_back({entry.name, entry.what});
  return joined({{"epochs", &options.epochs, "Training steps over all nodes", at_least(1)},
                 {"patience", &options.patience, "Stop after this many epochs without improvement; 0: never",
                  at_least(0)},
                 {"select", &options.select, "Which epoch is kept", selections},
                 added({"balance", &options.balance, "What counts alike in the loss",
                        one_of({{"none", "every label"}, {kBalanceClasses, "every class"}})},
                       "none")},
                fields(options.optimiser));
}

std::vector<double> class_weights(const TrainOptions& options, const Dataset& dataset, const Ranks& ranks) {
  if (options.balance != kBalanceClasses) return {};
  std::vector<double> counts(at(dataset.classes()));
  for (ClassId label : training_labels(dataset).classes) ++counts[at(label)];
  ranks.sum(counts);
  return balanced_weights(counts);
}

namespace {

Checkpoint checkpoint_of(const Model& model, const std::string& of, std::int64_t epoch, double loss,
                         std::span<const Real> parameters, const Training& training, Optimiser& optimiser) {
  Checkpoint point{.of = of,
                   .epoch = epoch,
                   .loss = loss,
                   .parameters = model.whole_block(parameters),
                   .best = model.whole_block(training.parameters),
                   .memory = {},
                   .history = training.history};
  for (const ParameterBlock* block : optimiser.memory()) point.memory.push_back(model.whole_block(*block));
  return point;
}

void check_goes_on(const Checkpoint& point, const std::string& of, std::int64_t epochs, std::size_t blocks) {
  if (point.of != of)
    fail("{}: of another training ({}); this one is {}; give the same command, or another file", point.where,
         point.of, of);
  if (point.epoch < 1 || point.epoch > epochs || point.memory.size() != blocks)
    fail("{}: after epoch {} with {} blocks of the optimiser; there are {} epochs and {} blocks", point.where,
         point.epoch, point.memory.size(), epochs, blocks);
}

}  // namespace

Training train(Model& model, const Dataset& dataset, const TrainOptions& options, std::uint64_t seed,
               Threads& threads, const EpochCallback& on_epoch, const TrainRun& run, const std::string& of) {
  const Ranks& ranks = model.ranks();
  check(dataset, options, ranks);
  Selector selector(options);
  const Stopwatch clock;
  ParameterBlock parameters = model.layout().zeros(), gradient = model.layout().zeros();
  const std::unique_ptr<Optimiser> optimiser = make_optimiser(options.optimiser, model.layout().size());
  const std::vector<DecayRange> decay = model.decay(options.optimiser.weight_decay);
  model.initialise(seed, parameters);
  if (std::vector<double> weights = class_weights(options, dataset, ranks); !weights.empty())
    model.weigh_classes(std::move(weights));

  Training result{.parameters = parameters};
  double loss = 0;
  std::int64_t first = 0;
  if (run.from) {
    const std::vector<ParameterBlock*> memory = optimiser->memory();
    check_goes_on(*run.from, of, options.epochs, memory.size());
    first = result.epochs_before = run.from->epoch;
    loss = run.from->loss;
    try {
      model.take_block(run.from->parameters, parameters);
      model.take_block(run.from->best, result.parameters);
      for (std::size_t i = 0; i < memory.size(); ++i) model.take_block(run.from->memory[i], *memory[i]);
    } catch (const Error& error) {
      fail("{}: {}", run.from->where, error.what());
    }
    optimiser->set_steps(first);
    for (const EpochReport& report : run.from->history) {
      result.history.push_back(report);
      if (selector.take(report)) result.best = report;
    }
  }
  for (std::int64_t epoch = first; epoch <= options.epochs; ++epoch) {
    EpochReport report{.epoch = epoch, .epochs = options.epochs, .loss = loss};
    const bool judged = epoch > 0 && (epoch % run.judge_every == 0 || epoch == options.epochs);
    model.prepare(parameters);
    const auto judge = [&] {
      if (!judged) return;
      const ConstMatrixView logits = model.judge(parameters);
      const Stopwatch watch;
      score(logits, dataset, selector.by_macro_f1(), ranks, report);
      result.seconds.judge += watch.seconds();
    };
    const auto step = [&] {
      if (epoch == options.epochs) return;
      loss = model.gradient(parameters, Random(seed).bits(static_cast<std::uint64_t>(epoch) + 1), gradient);
    };
    if (ranks.count() == 1) {
      both(threads, judge, step);
    } else {  // what two threads ask of other ranks could get into each other's way
      judge();
      step();
    }

    result.epochs = epoch;
    if (epoch > 0 && !std::isfinite(report.loss))
      fail("epoch {}: the loss is no longer finite; a lower learning_rate may help", epoch);
    if (judged) {
      result.history.push_back(report);
      if (selector.take(report)) {
        result.best = report;
        std::ranges::copy(parameters, result.parameters.begin());
      }
      result.stopped = ranks.largest(on_epoch && !on_epoch(report, result.best) ? 1 : 0) > 0;
      result.out_of_patience = selector.out_of_patience(epoch);
      if (result.stopped || result.out_of_patience) break;
    }
    if (epoch == options.epochs) break;
    const Stopwatch watch;
    optimiser->step(decay, gradient, parameters, threads);
    model.constrain(parameters);
    result.seconds.optimiser += watch.seconds();
    if (!run.save || (epoch + 1) % run.save_every != 0) continue;
    const Checkpoint point = checkpoint_of(model, of, epoch + 1, loss, parameters, result, *optimiser);
    agreed(ranks, [&] {
      if (ranks.rank() == 0) run.save(point);
    });
  }
  result.seconds.train = clock.seconds();
  result.seconds.model = model.seconds();
  return result;
}

}  // namespace heatfront
