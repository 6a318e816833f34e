// SPDX-License-Identifier: MIT
#include "heatfront/train/fit.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "heatfront/base/fail.h"
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
    fail("{} has no labels to learn from; add labels", dataset.name);
}

Fit fit(const Dataset& dataset, const FitOptions& options, Threads& threads, const EpochCallback& on_epoch,
        const ProgressCallback& progress) {
  const ModelSettings settings(options.model);
  const std::string preset = apply_preset(options.preset, options.model, dataset.name, settings.fields);
  for (const std::string& setting : options.settings)
    set_option(settings.fields, setting, "--set " + setting);
  Fit result = fit(dataset, *settings.model, settings.training, options.seed, threads, on_epoch, progress);
  result.preset = preset;
  return result;
}

Fit fit(const Dataset& dataset, const ModelOptions& options, const TrainOptions& training, std::uint64_t seed,
        Threads& threads, const EpochCallback& on_epoch, const ProgressCallback& progress) {
  checked(training, "training");
  check(dataset, options.entry());
  const std::unique_ptr<Model> model = options.make(dataset, threads);
  model->report_to(progress);
  Fit result;  // not in braces: GCC 12 destroys a member twice when a designated initialiser throws
  result.parameters = model->layout().count();
  result.training = train(*model, dataset, training, seed, threads, on_epoch);
  result.products = model->products();

  model->prepare(result.training.parameters);
  judge_classes(dataset, model->judge_all(result.training.parameters), result);
  TrainOptions trained = training;
  std::vector<std::string> lines = lines_of(fields(trained));
  std::ranges::copy(options.lines(), std::back_inserter(lines));
  result.model = {.model = std::string(options.entry().name),
                  .options = std::move(lines),
                  .seed = seed,
                  .data = kept_data(dataset),
                  .fingerprint = fingerprint(dataset),
                  .history = result.training.history,
                  .best_epoch = result.training.best.epoch,
                  .selected_by = training.select};
  model->keep(result.training.parameters, result.model);
  result.model.softening = softening_by_validation(dataset, options.entry(), result.model, threads);
  judge_flow_alone(dataset, threads, result);
  return result;
}

}  // namespace heatfront
