// SPDX-License-Identifier: MIT
#include "heatfront/train/fit.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "heatfront/base/fail.h"
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
    fail("{}: has no edges, which {} needs; `heatfront graph` joins points to their neighbours", dataset.name,
         entry.name);
  }
  check_labelled_split(dataset, dataset.name);
  if (!entry.uses.graph && !dataset.features.present())
    fail("{}: has no features, and {} sees nothing else; a model that uses the graph can do without: {}",
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

}  // namespace

void require_labels(const Dataset& dataset) {
  if (std::ranges::all_of(dataset.labels, [](ClassId label) { return label == kUnknown; }))
    fail("{}: has no labels to learn from; add labels", dataset.name);
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
  model->judge_all(result.training.parameters);
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
  judge_flow_alone(dataset, threads, result);
  return result;
}

}  // namespace heatfront
