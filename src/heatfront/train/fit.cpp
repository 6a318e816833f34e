// SPDX-License-Identifier: MIT
#include "heatfront/train/fit.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/fingerprint.h"
#include "heatfront/base/ranks.h"
#include "heatfront/evaluate/calibration.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"

namespace heatfront {
namespace {

// What is kept of the data: all but how it was read.
Dataset kept_data(const Dataset& dataset) {
  Dataset kept = dataset;
  kept.changes = {};
  kept.notes.clear();
  return kept;
}

void check(const Dataset& dataset, const ModelEntry& entry) {
  heatfront::check(dataset, dataset.name);
  require_labels(dataset);
  if (entry.uses.graph && dataset.graph.arcs() == 0) {
    fail("{} has no edges, which {} needs; `heatfront graph` joins points to their neighbours", dataset.name,
         entry.name);
  }
  check_labelled_split(dataset, dataset.name);
  if (!entry.uses.graph && !dataset.features.present())
    fail("{} has no features, and {} sees nothing else; a model that uses the graph can do without: {}",
         dataset.name, entry.name, kHeatFront);
}

// What the clamped flow does without anything learned: the data's weights, heat from the training labels only.
void judge_flow_alone(const Dataset& dataset, Threads& threads, Fit& result) {
  if (dataset.graph.arcs() == 0) return;
  const HeatFrontOptions options =
      result.model.model == kHeatFront ? result.model.heat_front_options() : HeatFrontOptions();
  const DirichletProblem problem{.graph = dataset.graph,
                                 .weights = dataset.weights,
                                 .classes = dataset.classes(),
                                 .known = result.model.known};
  const FlowOptions flow = options.clamped_flow();
  const Temperatures heat = solve_dirichlet(problem, flow, threads);
  result.flow_time = flow.time;
  result.flow_validation_accuracy = accuracy(heat.values, dataset.labels, dataset.split->validation);
  result.flow_test_accuracy = accuracy(heat.values, dataset.labels, dataset.split->test);
}

// The softening that suits the validation nodes, which do not train: only where there are enough of them to bound it.
double softening_by_validation(const Dataset& dataset, const ModelEntry& entry, const TrainedModel& model,
                               Threads& threads) {
  if (entry.loss == kNoLoss || std::ssize(dataset.split->validation) < kLeastToSoften) return 1;
  const Answer answer = entry.predictor(model, model.front, threads)->answer(model.known);
  return usable_softening(
      judged_shares(answer, dataset.labels, reached_of(answer, dataset.split->validation)));
}

// Class by class, of the nodes that no label of this training was told of.
void judge_classes(const Dataset& dataset, ConstMatrixView logits, Fit& result) {
  if (dataset.classes() > kMostConfused) return;
  const Split& split = *dataset.split;
  result.by_test_nodes = !split.test.empty();
  std::vector<ClassId> given, labels;
  for (NodeId u : result.by_test_nodes ? split.test : split.validation) {
    const auto row = logits.row(u);
    given.push_back(static_cast<ClassId>(std::ranges::max_element(row) - row.begin()));
    labels.push_back(dataset.labels[at(u)]);
  }
  if (!labels.empty())
    result.by_class = class_report(given, labels, training_labels(dataset).classes, dataset.classes());
}

}  // namespace

void require_labels(const Dataset& dataset) {
  if (dataset.targets.present())
    fail("{}: its labels are {}, which this does not take; `heatfront train`, `solve` and `sweep` do",
         dataset.name, entry_of(dataset.targets.kind).name);
  if (std::ranges::all_of(dataset.labels, [](ClassId label) { return label == kUnknown; }))
    fail("{} has no labels to learn from; give some nodes a label (in a folder: labels.csv, of node,label)",
         dataset.name);
}

namespace {

// What a fit is asked for, from flags, a preset and defaults.
struct Asked {
  explicit Asked(const FitOptions& options, const std::string& data)
      : settings(options.model), preset(apply_preset(options.preset, options.model, data, settings.fields)) {
    for (const std::string& setting : options.settings)
      set_option(settings.fields, setting, "--set " + setting);
    checked(settings.training, "training");
  }

  ModelSettings settings;
  std::string preset;
};

std::vector<std::string> option_lines(const ModelOptions& options, TrainOptions training) {
  std::vector<std::string> lines = lines_of(fields(training));
  std::ranges::copy(options.lines(), std::back_inserter(lines));
  return lines;
}

// What a checkpoint is of.
std::string name_of(const ModelOptions& options, const TrainOptions& training, std::uint64_t seed,
                    const Dataset& nodes, ArcId arcs) {
  Fingerprint print;
  for (const std::string& line : option_lines(options, training)) print.add(std::string_view(line));
  print.add(std::span<const ClassId>(nodes.labels));
  return fmt::format("{} on {} with {} arcs, seed {}, split {}, settings {}", options.entry().name,
                     nodes.name, arcs, seed, nodes.split ? nodes.split->hash() : "none", print.hex());
}

// What is known of a trained model beside what was learned.
void describe(const Dataset& dataset, const ModelOptions& options, const TrainOptions& training,
              std::uint64_t seed, Fit& result) {
  result.model = {.model = std::string(options.entry().name),
                  .options = option_lines(options, training),
                  .seed = seed,
                  .data = kept_data(dataset),
                  .fingerprint = fingerprint(dataset),
                  .history = result.training.history,
                  .best_epoch = result.training.best.epoch,
                  .selected_by = training.select};
}

// What its answers are worth, once it is whole.
void judge_answers(const Dataset& dataset, const ModelEntry& entry, Threads& threads, Fit& result) {
  result.model.softening = softening_by_validation(dataset, entry, result.model, threads);
  judge_flow_alone(dataset, threads, result);
}

}  // namespace

Fit fit(const Dataset& dataset, const FitOptions& options, Threads& threads, const EpochCallback& on_epoch,
        const ProgressCallback& progress, const TrainRun& run) {
  const Asked asked(options, dataset.name);
  Fit result = fit(dataset, *asked.settings.model, asked.settings.training, options.seed, threads, on_epoch,
                   progress, run);
  result.preset = asked.preset;
  return result;
}

Fit fit(const Dataset& dataset, const ModelOptions& options, const TrainOptions& training, std::uint64_t seed,
        Threads& threads, const EpochCallback& on_epoch, const ProgressCallback& progress,
        const TrainRun& run) {
  checked(training, "training");
  check(dataset, options.entry());
  const std::unique_ptr<Model> model = options.make(dataset, threads);
  model->report_to(progress);
  Fit result;  // not in braces: GCC 12 destroys a member twice when a designated initialiser throws
  result.parameters = model->layout().count();
  result.training = train(*model, dataset, training, seed, threads, on_epoch, run,
                          name_of(options, training, seed, dataset, dataset.graph.arcs()));
  result.products = model->products();

  model->prepare(result.training.parameters);
  judge_classes(dataset, model->judge_all(result.training.parameters), result);
  describe(dataset, options, training, seed, result);
  model->keep(result.training.parameters, result.model);
  judge_answers(dataset, options.entry(), threads, result);
  return result;
}

Fit fit_on_ranks(const PartedData& data, const FitOptions& options, const Cluster& cluster, Threads& threads,
                 const EpochCallback& on_epoch, const TrainRun& run) {
  const Ranks& ranks = cluster.ranks();
  const Asked asked(options, data.nodes.name);
  const ModelOptions& of_model = *asked.settings.model;
  const TrainOptions& training = asked.settings.training;
  require_labels(data.nodes);
  check_labelled_split(data.nodes, data.nodes.name);
  const ModelRows rows(data.rows, cluster);
  const std::unique_ptr<Model> model = of_model.make(rows, threads);
  Fit result;
  result.preset = asked.preset;
  result.training = train(*model, data.rows.rows, training, options.seed, threads, on_epoch, run,
                          name_of(of_model, training, options.seed, data.nodes, data.arcs));
  result.products = model->products();

  model->prepare(result.training.parameters);
  const Matrix logits = rows.whole(model->judge_all(result.training.parameters));
  TrainedModel learned;
  model->keep(result.training.parameters, learned);
  agreed(ranks, [&] {
    if (ranks.rank() != 0) return;
    Dataset whole = data.whole();
    whole.split = data.nodes.split;
    // Numbers by arc are counted in the whole; every rank has all others.
    result.parameters = model->layout().count();
    if (!learned.theta.empty()) result.parameters += std::ssize(learned.theta) - rows.arcs();
    judge_classes(whole, logits, result);
    describe(whole, of_model, training, options.seed, result);
    TrainedModel& kept = result.model;
    kept.front = std::move(learned.front);
    kept.theta = std::move(learned.theta);
    kept.weights = kept.theta.empty() ? whole.weights : std::move(learned.weights);
    kept.network = std::move(learned.network);
    kept.known = training_labels(whole);
    judge_answers(whole, of_model.entry(), threads, result);
  });
  return result;
}

}  // namespace heatfront
