// SPDX-License-Identifier: MIT
#include "heatfront_experiment/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/fingerprint.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/base/text.h"
#include "heatfront/evaluate/confusion.h"
#include "heatfront/flow/decide.h"
#include "heatfront/train/auto_fit.h"
#include "heatfront/train/choose_settings.h"
#include "heatfront/train/fit.h"
#include "heatfront_experiment/reproduce/table_job.h"
#include "heatfront_experiment/seeded_data.h"
#include "heatfront_experiment/side_by_side.h"
#include "heatfront_io/files/settings_file.h"
#include "heatfront_io/formats/choose_split.h"

namespace heatfront {
namespace {

FitOptions contender(const std::string& text) {
  FitOptions options;
  options.model.clear();
  for (const std::string& word : split_at(text, ' ')) {
    if (options.model.empty()) {
      options.model = word;
    } else if (word.starts_with("preset=")) {
      options.preset = open_preset(word.substr(7), options.model);
    } else {
      options.settings.push_back(word);
    }
  }
  return options;
}

// A preset that is named is taken as it is.
bool by_folds(const FitOptions& contender, const CompareOptions& options) {
  return options.choose == Choosing::folds && contender.preset.name.empty();
}

Splits splits_of(const std::string& text, const Split& first, const Split& second) {
  if (first.name == second.name) return Splits::one;
  return text.starts_with("folds") ? Splits::folds : Splits::drawn;
}

// Runs of `auto` depend on the settings of what it tries.
std::string auto_terms(const CompareOptions& options, const Dataset& dataset) {
  Fingerprint print;
  for (std::string_view model : {kLinearFront, kFlowAlone, kHeatFront})
    print.add(
        terms_of({.model = std::string(model), .preset = {"none"}, .settings = {}}, options.split, dataset));
  return print.add(kAuto).hex();
}

std::string terms_of(const FitOptions& contender, const CompareOptions& options, const Dataset& dataset) {
  if (contender.model == kAuto) return auto_terms(options, dataset);
  if (!by_folds(contender, options)) return terms_of(contender, options.split, dataset);
  Fingerprint print;
  for (const std::vector<std::string>& some : few_settings(find_model(contender.model), contender.settings)) {
    FitOptions tried = contender;
    tried.preset = {"none"};
    tried.settings.insert(tried.settings.begin(), some.begin(), some.end());
    print.add(terms_of(tried, options.split, dataset));
  }
  return print.add("folds").hex();
}

struct Task {
  std::size_t model = 0;
  std::uint32_t seed = 0;
};

TableRun run_with(const Fit& fit, const Dataset& data, const std::string& chosen, double seconds) {
  const EpochReport& best = fit.training.best;
  return {.seed = static_cast<std::uint32_t>(fit.model.seed),
          .split = fmt::format("{} ({})", data.split->name, data.split->hash()),
          .selected_by = "folds",
          .preset = chosen,
          .test_accuracy = best.test_accuracy,
          .validation_accuracy = best.validation_accuracy,
          .parameters = fit.parameters,
          .epochs = std::ssize(fit.training.history),
          .seconds = seconds,
          .classes = fit.by_class.scores,
          .curve = {}};
}

// What all runs together have of each class.
std::vector<ClassScore> classes_of(const std::vector<TableRun>& runs) {
  std::vector<ClassScore> sums;
  for (const TableRun& run : runs) {
    sums.resize(std::max(sums.size(), run.classes.size()));
    for (std::size_t c = 0; c < run.classes.size(); ++c)
      sums[c] = class_score(sums[c].nodes + run.classes[c].nodes, sums[c].given + run.classes[c].given,
                            sums[c].right + run.classes[c].right);
  }
  return sums;
}

class Comparing {
 public:
  Comparing(const Dataset& dataset, const CompareOptions& options)
      : dataset_(dataset), options_(options), record_(options.record, "comparison") {
    for (const std::string& text : options.models) {
      contenders_.push_back(contender(text));
      terms_.push_back(terms_of(contenders_.back(), options, dataset));
    }
  }

  void run_missing(Threads& threads, const ProgressCallback& progress) {
    std::vector<Task> tasks;
    for (std::int64_t run = 0; run < options_.runs; ++run) {
      for (std::size_t model = 0; model < contenders_.size(); ++model) {
        const Task task{model, seed_of(run)};
        if (!find(task)) tasks.push_back(task);
      }
    }
    const std::int64_t total = options_.runs * std::ssize(contenders_);
    SharedProgress shared(
        progress, {.stage = "comparing", .done = total - std::ssize(tasks), .total = total, .unit = "runs"});
    std::vector<SeededData> data(at(threads.count()), SeededData(dataset_, options_.split));  // one a worker
    side_by_side(std::ssize(tasks), threads, [&](std::int64_t i, std::int64_t worker, Threads& thread) {
      const Task& task = tasks[at(i)];
      const auto go_on = [&] {
        return shared.go_on(fmt::format("{}, seed {}", options_.models[task.model], task.seed));
      };
      if (!go_on()) return false;
      TableRun run;
      try {
        run = run_one(task, data[at(worker)], thread, go_on);
      } catch (const Interrupted&) {
        return false;
      } catch (const Error& error) {
        fail("{}, seed {}: {}", options_.models[task.model], task.seed, error.what());
      }
      shared.done(1, [&] { record_.add(std::move(run)); });
      return true;
    });
    if (shared.stopped()) throw Interrupted();
  }

  std::vector<ComparedModel> models() const {
    std::vector<ComparedModel> models;
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      ComparedModel model{.name = options_.models[i]};
      for (std::int64_t run = 0; run < options_.runs; ++run) {
        if (const TableRun* found = find({i, seed_of(run)})) model.runs.push_back(*found);
      }
      model.test = spread_of(model.runs, &TableRun::test_accuracy);
      model.validation = spread_of(model.runs, &TableRun::validation_accuracy);
      model.seconds = spread_of(model.runs, &TableRun::seconds);
      model.classes = classes_of(model.runs);
      models.push_back(std::move(model));
    }
    return models;
  }

 private:
  std::uint32_t seed_of(std::int64_t run) const { return options_.seed + static_cast<std::uint32_t>(run); }

  const TableRun* find(const Task& task) const {
    return record_.find(options_.models[task.model], dataset_.name, task.seed, terms_[task.model]);
  }

  TableRun run_one(const Task& task, SeededData& data, Threads& thread,
                   const std::function<bool()>& go_on) const {
    FitOptions fit_options = contenders_[task.model];
    fit_options.seed = task.seed;
    TableRun run = run_of(data.at_seed(task.seed), fit_options, thread, go_on);
    run.row = options_.models[task.model];
    run.dataset = dataset_.name;
    run.terms = terms_[task.model];
    if (task.seed != options_.seed) run.curve.clear();
    return run;
  }

  TableRun run_of(const Dataset& data, const FitOptions& fit_options, Threads& thread,
                  const std::function<bool()>& go_on) const {
    const Stopwatch watch;
    const auto progress = [&](const Progress&) { return go_on(); };
    if (fit_options.model == kAuto) {
      const AutoFit chosen = fit_auto(without_validation(data), {.seed = fit_options.seed}, thread, progress);
      return run_with(chosen.fit, data, chosen.candidates[chosen.chosen].model, watch.seconds());
    }
    if (!by_folds(fit_options, options_)) return run_fit(data, fit_options, thread, go_on).run;
    ChosenFit chosen = fit_by_folds(data, fit_options, thread, progress);
    if (chosen.settings.empty()) chosen.settings = chosen.tried > 1 ? "defaults" : "by itself";
    return run_with(chosen.fit, data, chosen.settings, watch.seconds());
  }

  const Dataset& dataset_;
  const CompareOptions& options_;
  TableRecord record_;
  std::vector<FitOptions> contenders_;
  std::vector<std::string> terms_;  // of each
};

constexpr std::int64_t kMostRunsAdvised = 1000;

// The least n above `runs` with t s √(1/n + r) < |mean|; 0 where there is none worth advising.
std::int64_t runs_needed(const PairedDifference& difference, std::int64_t runs, double confidence,
                         double dependence) {
  const auto tells = [&](std::int64_t n) {
    return student_quantile(confidence, static_cast<int>(n) - 1) * difference.deviation *
               std::sqrt(1 / static_cast<double>(n) + dependence) <
           std::abs(difference.mean);
  };
  if (runs >= kMostRunsAdvised || !tells(kMostRunsAdvised)) return 0;
  std::int64_t too_few = runs, enough = kMostRunsAdvised;  // the left side falls as n grows
  while (enough - too_few > 1) {
    const std::int64_t middle = (too_few + enough) / 2;
    (tells(middle) ? enough : too_few) = middle;
  }
  return enough;
}

bool all_alike(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kRounding = 1e-12;  // far less than a test node
  for (std::size_t i = 1; i < a.size(); ++i) {
    if (std::abs((a[i] - b[i]) - (a[0] - b[0])) > kRounding) return false;
  }
  return true;
}

std::vector<ComparedPair> pairs_of(const std::vector<ComparedModel>& models, Splits splits,
                                   double dependence) {
  const auto accuracies = [&](std::size_t i) {
    std::vector<double> values;
    for (const TableRun& run : models[i].runs) values.push_back(run.test_accuracy);
    return values;
  };
  // Each interval so much wider that all of them hold together (Bonferroni).
  const auto count = static_cast<double>(models.size() * (models.size() - 1) / 2);
  const double confidence = 1 - (1 - Comparison::kConfidence) / count;
  std::vector<ComparedPair> pairs;
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = i + 1; j < models.size(); ++j) {
      const std::vector<double> a = accuracies(i), b = accuracies(j);
      const PairedDifference difference = paired_difference(a, b, confidence, dependence);
      pairs.push_back({.better = i,
                       .other = j,
                       .difference = difference,
                       .runs_needed = runs_needed(difference, std::ssize(a), confidence, dependence),
                       .repeated = (splits == Splits::one || difference.mean != 0) && all_alike(a, b)});
    }
  }
  return pairs;
}

void check(const CompareOptions& options) {
  if (options.models.size() < 2) fail("comparing takes two or more models, such as heat-front,gcn");
  if (options.runs < 2) fail("{} runs: 2 or more are needed to see what is chance", options.runs);
  for (const std::string& text : options.models) {
    if (text.starts_with(std::string(kAuto) + " "))
      fail("'{}': {} has no settings of its own; name the model that they are for", text, kAuto);
  }
  for (std::size_t i = 0; i < options.models.size(); ++i) {
    if (std::ranges::count(options.models, options.models[i]) > 1)
      fail("'{}' is named twice; one model may be set in two ways, as \"gcn, gcn dropout=0.8\"",
           options.models[i]);
  }
}

void judge_classes(const Dataset& dataset, const Split& first, Comparison& result) {
  std::vector<ClassId> labels;
  for (NodeId u : first.train) labels.push_back(dataset.labels[at(u)]);
  const std::vector<double> shares =
      labelled_prior({.nodes = first.train, .classes = labels}, dataset.classes());
  result.uneven = is_uneven(labels, dataset.classes());
  result.most_frequent = static_cast<ClassId>(std::ranges::max_element(shares) - shares.begin());
  double nodes = 0, of_it = 0;
  for (std::size_t c = 0; c < result.models.front().classes.size(); ++c) {
    const auto count = static_cast<double>(result.models.front().classes[c].nodes);
    nodes += count;
    if (c == at(result.most_frequent)) of_it = count;
  }
  result.always = nodes > 0 ? of_it / nodes : std::numeric_limits<double>::quiet_NaN();
}

std::string points(double share) { return fmt::format("{:.1f}", 100 * share); }

std::string names(const std::vector<std::string>& list, std::string_view before_last) {
  if (list.size() < 2) return join(list, "");
  return fmt::format("{} {} {}", join(std::vector(list.begin(), list.end() - 1), ", "), before_last,
                     list.back());
}

}  // namespace

Comparison compare(const Dataset& dataset, const CompareOptions& options, Threads& threads,
                   const ProgressCallback& progress) {
  check(options);
  require_labels(dataset);
  const Stopwatch watch;
  Comparison result;
  const Split first = choose_split(dataset, options.split, options.seed);
  if (first.test.empty())
    fail(
        "{}: the split '{}' leaves no test nodes to compare by; --split \"per-class 1,0\" trains on one "
        "label "
        "of each class and compares by the others",
        dataset.name, first.name);
  if (first.train.empty())
    fail(
        "{}: the split '{}' has no training nodes; with few labels, --split \"per-class 1,0\" trains on one "
        "of each class and compares by the others",
        dataset.name, first.name);
  result.splits = splits_of(options.split, first, choose_split(dataset, options.split, options.seed + 1));
  Comparing comparing(dataset, options);
  for (const ComparedModel& model : comparing.models()) result.runs_before += std::ssize(model.runs);
  comparing.run_missing(threads, progress);
  result.models = comparing.models();
  std::ranges::stable_sort(result.models, std::greater(),
                           [](const ComparedModel& model) { return model.test.mean; });
  result.choose = options.choose;
  if (result.splits != Splits::one)
    result.dependence = static_cast<double>(first.test.size()) / static_cast<double>(first.train.size());
  result.pairs = pairs_of(result.models, result.splits, result.dependence);
  judge_classes(dataset, first, result);
  result.seconds = watch.seconds();
  return result;
}

std::string verdict(const Comparison& comparison) {
  const std::string& best = comparison.models.front().name;
  std::vector<std::string> worse, alike, repeated;
  double least = 1, most = 0;
  for (const ComparedPair& pair : comparison.pairs) {
    if (pair.better != 0) continue;
    const std::string& other = comparison.models[pair.other].name;
    if (pair.repeated) {
      repeated.push_back(other);
    } else if (pair.tells()) {
      worse.push_back(other);
      least = std::min(least, pair.difference.mean);
      most = std::max(most, pair.difference.mean);
    } else {
      const bool advised = pair.runs_needed > 0;
      alike.push_back(other + (advised ? fmt::format(" (about {} would)", pair.runs_needed) : ""));
    }
  }
  std::string text;
  if (!worse.empty()) {
    const std::string by =
        points(least) == points(most) ? points(least) : points(least) + " to " + points(most);
    text = fmt::format("{} is better than {}, by {} points of test accuracy on average.", best,
                       names(worse, "and"), by);
  }
  if (!alike.empty()) {
    text += fmt::format("{}These runs cannot tell {} from {}.", text.empty() ? "" : " ", best,
                        names(alike, "or"));
  }
  if (!repeated.empty())
    text += fmt::format(
        "{}Every run was the same in how {} differs from {}, so these runs cannot tell what is chance; {}.",
        text.empty() ? "" : " ", best, names(repeated, "and"),
        comparison.splits == Splits::one ? "another split for each run would: --split \"percent 40,40\""
                                         : "more runs would");
  if (comparison.splits == Splits::one && !(worse.empty() && alike.empty()))
    text += repeated.empty()
                ? " This holds for one split alone; --split \"percent 40,40\" draws another for every run."
                : " All this holds for one split alone.";
  if (comparison.splits != Splits::one && !(worse.empty() && alike.empty()))
    text += " Runs share training nodes, so the intervals are wider.";
  return text;
}

}  // namespace heatfront
