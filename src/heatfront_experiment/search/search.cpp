// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/train/fit.h"
#include "heatfront_experiment/search/search_runs.h"
#include "heatfront_io/formats/choose_split.h"

namespace heatfront {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kCoarseShare = 0.4, kFineShare = 0.7;  // of the budget, until no more trials begin
constexpr std::size_t kCentres = 3;                     // that fine trials are drawn near

void check(const SearchOptions& options, const Split& split, const std::string& name) {
  if (options.trials < 1) fail("trials {}: it must be 1 or more", options.trials);
  if (options.seeds.empty()) fail("a search needs a seed");
  if (!(options.time_budget > 0)) fail("time budget {} s: it must be more than 0", options.time_budget);
  if (split.validation.empty()) {
    fail(
        "{}: the split '{}' has no validation labels to choose by; say --split \"per-class 1,1\", or give "
        "more labels",
        name, split.name);
  }
  check_space(options.space, options.model);
}

SearchTerms terms_of(const SearchOptions& options, const Search& search) {
  std::string space;
  for (const SearchRange& range : options.space) space += (space.empty() ? "" : "; ") + text_of(range);
  return {
      {"data", search.data},
      {"split", search.split},
      {"model", options.model},
      {"trials", fmt::format("{}", options.trials)},
      {"seeds", join(options.seeds, ",")},
      {"seed", fmt::format("{}", options.seed)},
      {"time budget", options.time_budget == kForever ? "none" : fmt::format("{} s", options.time_budget)},
      {"space", space}};
}

Random source_of(const SearchOptions& options, std::int64_t trial) {
  return Random(options.seed).part(static_cast<std::uint64_t>(trial));
}

std::vector<Trial> coarse_trials(const SearchOptions& options) {
  std::vector<Trial> trials;
  for (std::int64_t i = 0; i < options.trials - options.trials / 3; ++i)
    trials.push_back({i, "coarse", draw(options.space, source_of(options, i))});
  return trials;
}

std::vector<Trial> fine_trials(const SearchOptions& options, std::span<const TrialScore> ranking) {
  const auto good = std::ranges::count_if(ranking, [](const TrialScore& s) { return s.error.empty(); });
  const std::size_t centres = std::min(kCentres, static_cast<std::size_t>(good));
  std::vector<Trial> trials;
  for (std::int64_t i = options.trials - options.trials / 3; i < options.trials; ++i) {
    const Settings& centre = ranking[trials.size() % centres].trial.settings;
    trials.push_back({i, "fine", draw_near(options.space, centre, source_of(options, i))});
  }
  return trials;
}

// To choose centres, fewer seeds will do than to choose a winner.
std::span<const std::size_t> coarse_rungs(std::span<const std::size_t> rungs) {
  return rungs.first(std::max<std::size_t>(1, rungs.size() - 1));
}

// The best first. Trials that would begin after `until` and have no run yet take no part.
std::vector<TrialScore> halve(const std::vector<Trial>& trials, std::span<const std::size_t> rungs,
                              double until, const SearchOptions& options, const SearchRecord& record,
                              SearchRuns& runs) {
  std::vector<TrialScore> ranking;
  for (const Trial& trial : trials) ranking.push_back({.trial = trial});
  std::size_t count = ranking.size();  // of those still in the contest, which come first
  for (std::size_t rung : rungs) {
    const std::span<const std::uint32_t> seeds = std::span(options.seeds).first(rung);
    std::vector<RunRequest> requests;
    for (std::size_t i = 0; i < count; ++i) {
      const Trial& trial = ranking[i].trial;
      for (std::uint32_t seed : seeds) requests.push_back({trial.number, trial.stage, seed, trial.settings});
    }
    runs.run(requests, rung == 1 ? until : kForever);
    if (rung == 1) {
      std::erase_if(ranking, [&](const TrialScore& s) { return !record.find(s.trial.number, seeds[0]); });
      count = ranking.size();
    }
    for (std::size_t i = 0; i < count; ++i) ranking[i] = score_of(ranking[i].trial, seeds, record);
    const auto end = ranking.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(ranking.begin(), end, better);
    const auto good =
        std::count_if(ranking.begin(), end, [](const TrialScore& s) { return s.error.empty(); });
    if (good == 0) fail("every trial failed; trial {}: {}", ranking[0].trial.number, ranking[0].error);
    count = std::min(goes_on(count), static_cast<std::size_t>(good));
  }
  return ranking;
}

Spread test_accuracy(const Trial& winner, const SearchOptions& options, const SearchRecord& record,
                     SearchRuns& runs) {
  std::vector<RunRequest> requests;
  for (std::uint32_t seed : options.seeds) requests.push_back({winner.number, "test", seed, winner.settings});
  runs.run(requests, kForever);
  std::vector<double> accuracies;
  for (std::uint32_t seed : options.seeds) {
    const SearchRun& run = *record.find(winner.number, seed, true);
    if (!run.error.empty())
      fail("the test of the winner, trial {} with seed {}: {}", winner.number, seed, run.error);
    accuracies.push_back(run.test_accuracy.value_or(kNone));
  }
  return spread_of(accuracies);
}

std::int64_t trial_runs(const SearchRecord& record) {
  return std::ranges::count_if(record.runs(), [](const SearchRun& run) { return run.stage != "test"; });
}

// At most: as if no coarse trial were among those that go on at the end.
std::int64_t planned_runs(const SearchOptions& options, std::span<const std::size_t> rungs) {
  const auto all = static_cast<std::size_t>(options.trials);
  const std::size_t coarse = all - all / 3;
  return static_cast<std::int64_t>(runs_of_halving(coarse, coarse_rungs(rungs)) +
                                   runs_of_halving(all, rungs) - coarse + options.seeds.size());
}

}  // namespace

Search search(const Dataset& dataset, const SearchOptions& options, Threads& threads,
              const ProgressCallback& progress) {
  require_labels(dataset);
  const Split split = choose_split(dataset, options.split, options.seeds.empty() ? 0 : options.seeds[0]);
  check(options, split, dataset.name);
  Search result{.data = fingerprint(dataset).whole(),
                .split = fmt::format("{} ({})", split.name, split.hash())};
  SearchRecord record(options.record, terms_of(options, result));
  result.runs_before = trial_runs(record);
  const std::vector<std::size_t> rungs = heatfront::rungs(options.seeds.size());
  const std::int64_t planned = planned_runs(options, rungs);
  SearchRuns runs(dataset, options.model, options.split, planned, record, threads, progress);

  // Where fine trials have begun, no more coarse ones may: their ranking is settled.
  const bool fine_begun =
      std::ranges::any_of(record.runs(), [](const SearchRun& r) { return r.stage == "fine"; });
  const double coarse_until = fine_begun ? 0 : kCoarseShare * options.time_budget;
  result.ranking = halve(coarse_trials(options), coarse_rungs(rungs), coarse_until, options, record, runs);
  std::vector<Trial> trials = fine_trials(options, result.ranking);
  for (const TrialScore& score : result.ranking) trials.push_back(score.trial);
  result.ranking = halve(trials, rungs, kFineShare * options.time_budget, options, record, runs);

  result.runs = trial_runs(record);
  result.test = split.test.empty() ? Spread{kNone, kNone}
                                   : test_accuracy(result.ranking[0].trial, options, record, runs);
  result.seconds = runs.seconds();
  report(progress, {.stage = "searching", .done = planned, .total = planned, .unit = "runs"});
  return result;
}

std::string preset_text(const Search& search, const SearchOptions& options, const std::string& how) {
  const TrialScore& best = search.ranking[0];
  const std::string test = std::isnan(search.test.mean)
                               ? "The split has no test nodes."
                               : fmt::format("Its test accuracy, looked at afterwards: {:.2f} ± {:.2f} %.",
                                             100 * search.test.mean, 100 * search.test.deviation);
  std::string text = fmt::format(
      "# {}\n"
      "# Trial {} ({}) of {}, by validation accuracy alone: {:.2f} ± {:.2f} % (mean and deviation of seeds "
      "{}).\n"
      "# {} {} runs; split {}; data {}.\n",
      printable(how), best.trial.number, best.trial.stage, search.ranking.size(),
      100 * best.validation_accuracy, 100 * best.validation_deviation, join(options.seeds, ","), test,
      search.runs, printable(search.split), search.data);
  for (const Setting& setting : best.trial.settings)
    text += fmt::format("{} = {}\n", setting.name, setting.value);
  return text;
}

}  // namespace heatfront
