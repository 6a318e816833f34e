// SPDX-License-Identifier: MIT
#include "heatfront_experiment/reproduce/table_job.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/error.h"
#include "heatfront/base/fingerprint.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/base/text.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/volumes.h"
#include "heatfront/label/choose_flow.h"
#include "heatfront/label/session.h"
#include "heatfront/models/model.h"
#include "heatfront/train/fit.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"
#include "heatfront/train/retrain.h"
#include "heatfront_experiment/seeded_data.h"
#include "heatfront_experiment/sweep.h"
#include "heatfront_neighbours/kernel.h"

namespace heatfront {
namespace {

constexpr std::string_view kTimes = "0.1:1000:log60";

// Widths of the kernel that are tried where the graph is one of neighbours, as multiples of the one it was made with.
constexpr std::array<double, 5> kWidths = {0.5, 0.7, 1, 1.4, 2};

std::string split_text(const Split& split) { return fmt::format("{} ({})", split.name, split.hash()); }

FitOptions fit_options(const PaperRow& row, const Dataset& data, std::uint32_t seed) {
  RowModel chosen = model_of(row, data.name);
  FitOptions options{.model = std::move(chosen.model), .preset = {std::move(chosen.preset)}, .seed = seed};
  if (!row.setting.empty()) options.settings.emplace_back(row.setting);
  return options;
}

// exp(−δ²/(mσ)²) from exp(−δ²/σ²).
std::vector<Real> widened(const std::vector<Real>& weights, double multiple) {
  std::vector<Real> result(weights);
  for (Real& w : result)
    w = std::max(kLeastWeight,
                 static_cast<Real>(std::pow(static_cast<double>(w), 1 / (multiple * multiple))));
  return result;
}

struct ChosenFlow {
  SweepPoint point;
  std::vector<SweepPoint> curve;
  std::vector<Real> weights;
};

// The time, and where it is free the width of the kernel, by validation.
ChosenFlow choose_flow(const Dataset& data, bool free_width, Threads& thread,
                       const std::function<bool()>& go_on) {
  const KnownLabels known = training_labels(data);
  const std::vector<double> times = parse_times(kTimes);
  ChosenFlow best;
  for (double multiple : kWidths) {
    if (!free_width && multiple != 1) continue;
    std::vector<Real> weights = multiple == 1 ? data.weights : widened(data.weights, multiple);
    const DirichletProblem problem{
        .graph = data.graph, .weights = weights, .classes = data.classes(), .known = known};
    const Sweep sweep =
        sweep_times(data, *data.split, problem, {}, times, thread, [&](const Progress&) { return go_on(); });
    const SweepPoint& point = sweep.points[sweep.best];
    if (best.point.time == 0 || point.validation_accuracy > best.point.validation_accuracy)
      best = {point, sweep.points, std::move(weights)};
  }
  return best;
}

std::vector<TableRun> run_flow(const TableJob& job, const Dataset& data, Threads& thread,
                               const std::function<bool()>& go_on) {
  std::vector<TableRun> runs;
  Stopwatch watch;
  const ChosenFlow chosen = choose_flow(data, !job.dataset->joined, thread, go_on);
  for (const PaperRow* row : job.rows) {
    TableRun run{.selected_by = "validation-accuracy",
                 .time = chosen.point.time,
                 .test_accuracy = chosen.point.test_accuracy,
                 .validation_accuracy = chosen.point.validation_accuracy};
    if (row->validation_included) {
      KnownLabels known = training_labels(data);
      add_labels(data, data.split->validation, known);
      const DirichletProblem problem{
          .graph = data.graph, .weights = chosen.weights, .classes = data.classes(), .known = known};
      const Temperatures heat = solve_dirichlet(problem, {.time = chosen.point.time}, thread);
      run.test_accuracy = accuracy(heat.values, data.labels, data.split->test);
      run.validation_accuracy = std::numeric_limits<double>::quiet_NaN();
    } else if (job.seed == 0) {
      for (const SweepPoint& point : chosen.curve)
        run.curve.push_back({point.time, point.validation_accuracy, point.test_accuracy});
    }
    run.seconds = watch.seconds();
    runs.push_back(std::move(run));
  }
  return runs;
}

// The flow as `heatfront solve` chooses it, and where the row knows them with the sizes of the classes.
TableRun run_chosen_flow(const PaperRow& row, const Dataset& data, Threads& thread) {
  const Stopwatch watch;
  const KnownLabels known = training_labels(data);
  const DirichletProblem problem{
      .graph = data.graph, .weights = data.weights, .classes = data.classes(), .known = known};
  ClassVolumes sizes{.least = std::vector<std::int64_t>(at(data.classes()))};
  for (ClassId label : data.labels) {
    if (label != kUnknown) ++sizes.least[at(label)];
  }
  std::vector<double> prior;
  if (row.way == FlowWay::known_sizes) {
    for (std::int64_t size : sizes.least)
      prior.push_back(static_cast<double>(size) / static_cast<double>(data.nodes()));
  }
  const FlowChoice choice = choose_flow(problem, {}, prior, true, thread);
  const FlowOptions options{.time = choice.time};
  Temperatures heat = solve_dirichlet(problem, options, thread);
  if (choice.masses)
    normalise_class_mass(heat, known, prior.empty() ? labelled_prior(known, data.classes()) : prior);
  std::vector<ClassId> classes = warmest_classes(heat.values);
  if (row.way == FlowWay::known_sizes) {
    sizes.most = sizes.least;
    classes = threshold_dynamics(problem, std::move(heat), sizes, options.laplacian, {}, thread).classes;
  }
  return {.selected_by = std::string(name_of(choice.reason)),
          .time = choice.time,
          .test_accuracy = accuracy(classes, data.labels, data.split->test),
          .validation_accuracy = std::numeric_limits<double>::quiet_NaN(),
          .seconds = watch.seconds()};
}

std::vector<TableRun> run_chosen_flows(const TableJob& job, const Dataset& data, Threads& thread) {
  std::vector<TableRun> runs;
  for (const PaperRow* row : job.rows) runs.push_back(run_chosen_flow(*row, data, thread));
  return runs;
}

// Test accuracy of the model trained once more, with the labels that it holds.
double trained_again(const TrainedModel& model, const Dataset& data, Threads& thread,
                     const std::function<bool()>& go_on) {
  const Fit again = retrain(model, thread, [&](const Progress&) { return go_on(); });
  return accuracy(Session(again.model, thread).solve().temperatures.values, data.labels, data.split->test);
}

std::vector<TableRun> run_training(const TableJob& job, const Dataset& data, Threads& thread,
                                   const std::function<bool()>& go_on) {
  std::vector<TableRun> runs;
  const Stopwatch watch;
  const FitRun fitted = run_fit(data, fit_options(*job.rows.front(), data, job.seed), thread, go_on);
  for (const PaperRow* row : job.rows) {
    TableRun run = fitted.run;
    run.classes.clear();
    if (row->validation_included || job.seed != 0) run.curve.clear();
    if (row->validation_included) {
      Session session(fitted.model, thread);
      session.include_validation();
      if (row->trained_again) {
        run.test_accuracy = trained_again(session.model(), data, thread, go_on);
      } else {
        run.test_accuracy = accuracy(session.solve().temperatures.values, data.labels, data.split->test);
      }
      run.validation_accuracy = std::numeric_limits<double>::quiet_NaN();
      run.seconds = watch.seconds();
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace

FitRun run_fit(const Dataset& data, const FitOptions& options, Threads& thread,
               const std::function<bool()>& go_on) {
  const Stopwatch watch;
  bool stopped = false;
  Fit result = fit(data, options, thread,
                   [&](const EpochReport&, const EpochReport&) { return !(stopped = !go_on()); });
  if (stopped) throw Interrupted();
  const EpochReport& best = result.training.best;
  TableRun run{.seed = static_cast<std::uint32_t>(options.seed),
               .split = split_text(*data.split),
               .selected_by = result.model.selected_by,
               .preset = result.preset,
               .test_accuracy = best.test_accuracy,
               .validation_accuracy = best.validation_accuracy,
               .parameters = result.parameters,
               .epochs = std::ssize(result.training.history),
               .seconds = watch.seconds(),
               .classes = result.by_class.scores};
  for (const EpochReport& epoch : result.training.history)
    run.curve.push_back({static_cast<double>(epoch.epoch), epoch.validation_accuracy, epoch.test_accuracy});
  return {std::move(run), std::move(result.model)};
}

std::string terms_of(const FitOptions& options, std::string_view split, const Dataset& data) {
  const ModelSettings settings(options.model);
  apply_preset(options.preset, options.model, data.name, settings.fields);
  for (const std::string& setting : options.settings) set_option(settings.fields, setting, setting);
  return Fingerprint()
      .add(fingerprint(data).whole())
      .add(split)
      .add(options.model)
      .add(join(former_lines_of(settings.fields), "\n"))
      .hex();
}

std::string terms_of(const PaperRow& row, const PaperDataset& dataset, const Dataset& data) {
  if (!row.model.empty()) return terms_of(fit_options(row, data, 0), split_of(row, dataset), data);
  if (row.way != FlowWay::validation)
    return Fingerprint()
        .add(fingerprint(data).whole())
        .add(split_of(row, dataset))
        .add(row.way == FlowWay::known_sizes ? "known sizes" : "few labels")
        .hex();
  return Fingerprint()
      .add(fingerprint(data).whole())
      .add(dataset.split)
      .add(row.model)
      .add(kTimes)
      .add(dataset.joined ? "" : join(kWidths, ","))
      .hex();
}

std::vector<TableRun> run_job(const TableJob& job, Threads& thread, const std::function<bool()>& go_on) {
  SeededData seeded(*job.data, std::string(split_of(*job.rows.front(), *job.dataset)));
  const Dataset& data = seeded.at_seed(job.seed);
  const bool flows = job.rows.front()->model.empty();
  const bool chosen = job.rows.front()->way != FlowWay::validation;
  std::vector<TableRun> runs = chosen  ? run_chosen_flows(job, data, thread)
                               : flows ? run_flow(job, data, thread, go_on)
                                       : run_training(job, data, thread, go_on);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const PaperRow& row = *job.rows[i];
    runs[i].row = row.number;
    runs[i].dataset = job.dataset->name;
    runs[i].seed = job.seed;
    runs[i].split = split_text(*data.split);
    runs[i].validation_included = row.validation_included;
  }
  return runs;
}

}  // namespace heatfront
