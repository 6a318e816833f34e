// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search_runs.h"

#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/train/fit.h"
#include "heatfront_experiment/side_by_side.h"

namespace heatfront {

SearchRuns::SearchRuns(const Dataset& dataset, std::string model, std::string split, std::int64_t planned,
                       SearchRecord& record, Threads& threads, const ProgressCallback& progress)
    : dataset_(dataset),
      model_(std::move(model)),
      split_(std::move(split)),
      record_(record),
      threads_(threads),
      shared_(progress, {.stage = "searching",
                         .done = std::ssize(record.runs()),
                         .total = planned,
                         .unit = "runs at most"}),
      before_(record.runs().empty() ? 0 : record.runs().back().at) {}

bool SearchRuns::go_on(const RunRequest& request) {
  return shared_.go_on(fmt::format("{} trial {}, seed {}", request.stage, request.trial, request.seed));
}

// Only the winner's last runs have test nodes: of all others no accuracy on them can be computed.
SearchRun SearchRuns::run_one(const RunRequest& request, SeededData& data, Threads& thread) {
  SearchRun run{
      .trial = request.trial, .stage = request.stage, .seed = request.seed, .settings = request.settings};
  FitOptions options{.model = model_, .preset = {"none"}, .seed = request.seed};
  for (const Setting& setting : request.settings)
    options.settings.push_back(setting.name + "=" + setting.value);
  const bool test = request.stage == "test";
  const Stopwatch watch;
  try {
    const Fit result =
        fit(test ? data.at_seed(request.seed) : data.at_seed_without_test(request.seed), options, thread,
            [&](const EpochReport&, const EpochReport&) { return go_on(request); });
    const EpochReport& best = result.training.best;
    run.validation_accuracy = best.validation_accuracy;
    run.validation_loss =
        std::isfinite(best.validation_loss) ? best.validation_loss : std::numeric_limits<double>::infinity();
    if (test) run.test_accuracy = best.test_accuracy;
    run.epochs = std::ssize(result.training.history);
  } catch (const Error& error) {
    run.error = error.what();
  }
  run.seconds = watch.seconds();
  return run;
}

void SearchRuns::run(std::span<const RunRequest> requests, double until) {
  std::vector<const RunRequest*> missing;
  for (const RunRequest& request : requests) {
    const SearchRun* done = record_.find(request.trial, request.seed, request.stage == "test");
    if (done == nullptr) {
      missing.push_back(&request);
    } else if (done->settings != request.settings) {
      fail(
          "the record has other settings for trial {} than this search draws; remove it or name another "
          "record",
          request.trial);
    }
  }
  const bool first = record_.runs().empty();  // of all: begins whatever the time
  std::vector<SeededData> data(static_cast<std::size_t>(threads_.count()),
                               SeededData(dataset_, split_));  // one a worker
  side_by_side(std::ssize(missing), threads_, [&](std::int64_t i, std::int64_t worker, Threads& thread) {
    if (seconds() > until && !(first && i == 0)) return false;
    SearchRun run = run_one(*missing[at(i)], data[at(worker)], thread);
    if (shared_.stopped()) return false;
    shared_.done(1, [&] {
      run.at = seconds();
      record_.add(std::move(run));
    });
    return true;
  });
  if (shared_.stopped()) throw Interrupted();
}

}  // namespace heatfront
