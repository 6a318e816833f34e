// SPDX-License-Identifier: MIT
// heatfront search DATA: looks for the settings of a model that do best on validation.
#include <fmt/core.h>

#include <cmath>
#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output_kind.h"
#include "cli/resumable.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_experiment/duration.h"
#include "heatfront_experiment/search/search.h"
#include "heatfront_experiment/seed_list.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront::cli {
namespace search_command {

namespace fs = std::filesystem;

constexpr std::size_t kShown = 10;  // trials in the table

struct Arguments {
  DataArgument data;
  SplitArgument split;
  SearchOptions search;
  std::string space, preset, seeds = "0-4", time_budget;
  std::vector<std::string> settings;
  fs::path output, record;
};

// What must be said again to find the same, and nothing of where files lie.
std::string command_text(const Arguments& arguments, const Dataset& dataset) {
  std::string text = fmt::format("heatfront search {} --model {} --trials {} --seeds {}", dataset.name,
                                 arguments.search.model, arguments.search.trials, arguments.seeds);
  const auto add = [&](std::string_view flag, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", flag, shell_word(value));
  };
  const bool split_is_file = fs::is_regular_file(arguments.split.split);
  add("--split", split_is_file ? fs::path(arguments.split.split).filename().string() : arguments.split.split);
  if (arguments.split.seed != 0) add("--seed", fmt::format("{}", arguments.split.seed));
  add("--space", fs::path(arguments.space).filename().string());
  add("--preset", fs::path(arguments.preset).filename().string());
  for (const std::string& setting : arguments.settings) add("--set", setting);
  add("--time-budget", arguments.time_budget);
  return text;
}

SearchSpace space_of(const Arguments& arguments) {
  Settings fixed;
  for (const std::string& setting : arguments.settings) fixed.push_back(parse_setting(setting));
  SearchSpace space = open_space(arguments.search.model, arguments.space);
  space = with_fixed(std::move(space), preset_settings(arguments.search.model, arguments.preset), false);
  return with_fixed(std::move(space), fixed, true);
}

// Before an hour of searching, what would be wrong after it.
void prepare_files(Arguments& arguments) {
  if (!arguments.output.empty() && arguments.output.extension() != ".preset")
    fail("{}: a preset's name ends in .preset", arguments.output.string());
  if (!arguments.output.empty() && arguments.record.empty())
    arguments.record = fs::path(arguments.output).replace_extension(".record.jsonl");
  check_outputs({{arguments.output, kFoundPreset}, {arguments.record, kRunRecord}},
                {arguments.preset, arguments.space});
  if (!arguments.output.empty()) OutputFile probe(arguments.output);
}

std::string settings_text(const Settings& settings, std::string_view between) {
  std::string text;
  for (const Setting& setting : settings)
    text += fmt::format("{}{}={}", text.empty() ? "" : between, setting.name, setting.value);
  return text;
}

// "83.80 ± 0.42 %"; of one seed there is no deviation, and NaN is a dash.
std::string spread_text(double mean, double deviation, std::size_t seeds) {
  return seeds < 2 || std::isnan(mean) ? percent(mean)
                                       : fmt::format("{:.2f} ± {:.2f} %", 100 * mean, 100 * deviation);
}

std::vector<std::vector<std::string>> ranking_rows(const Search& search) {
  std::vector<std::vector<std::string>> rows = {
      {"trial", "stage", "seeds", "validation", "loss", "settings"}};
  for (const TrialScore& score : search.ranking) {
    if (rows.size() > kShown) break;
    const bool failed = !score.error.empty();
    rows.push_back(
        {grouped(score.trial.number), score.trial.stage, grouped(static_cast<std::int64_t>(score.seeds)),
         failed ? "failed" : spread_text(score.validation_accuracy, score.validation_deviation, score.seeds),
         failed ? "" : fmt::format("{:.4f}", score.validation_loss),
         settings_text(score.trial.settings, " ")});
  }
  return rows;
}

std::string test_text(const Search& search) {
  const std::string accuracy = spread_text(search.test.mean, search.test.deviation, search.ranking[0].seeds);
  return accuracy +
         (std::isnan(search.test.mean) ? ": the split has no test nodes" : ", looked at for this one alone");
}

Json score_json(const TrialScore& score) {
  Json settings = Json::object();
  for (const Setting& setting : score.trial.settings) settings[setting.name] = setting.value;
  Json object = {{"trial", score.trial.number},
                 {"stage", score.trial.stage},
                 {"seeds", score.seeds},
                 {"settings", settings}};
  if (!score.error.empty()) {
    object["error"] = score.error;
    return object;
  }
  object["validation_accuracy"] = json_number(score.validation_accuracy);
  object["validation_deviation"] = json_number(score.validation_deviation);
  object["validation_loss"] = json_number(score.validation_loss);
  return object;
}

void run(Arguments arguments, Console& console) {
  arguments.search.space = space_of(arguments);
  arguments.search.seeds = parse_seeds(arguments.seeds);
  arguments.search.split = arguments.split.split;
  arguments.search.seed = arguments.split.seed;
  if (!arguments.time_budget.empty()) arguments.search.time_budget = parse_duration(arguments.time_budget);
  prepare_files(arguments);
  arguments.search.record = arguments.record;
  const Dataset dataset = arguments.data.open(console);
  const Search found = resumable(arguments.record, [&] {
    return search(dataset, arguments.search, console.threads(), console.progress());
  });
  const std::string preset =
      preset_text(found, arguments.search, fmt::format("Found by `{}`.", command_text(arguments, dataset)));
  if (!arguments.output.empty()) write_file(arguments.output, preset);

  const TrialScore& best = found.ranking[0];
  Json ranking = Json::array();
  for (const TrialScore& score : found.ranking) ranking.push_back(score_json(score));
  const Json object = {{"dataset", dataset.name},
                       {"data", found.data},
                       {"split", found.split},
                       {"model", arguments.search.model},
                       {"seeds", arguments.search.seeds},
                       {"trials", found.ranking.size()},
                       {"runs", found.runs},
                       {"runs_before", found.runs_before},
                       {"seconds", found.seconds},
                       {"selected_by", "validation accuracy, then loss"},
                       {"best", score_json(best)},
                       {"test_accuracy", json_number(found.test.mean)},
                       {"test_deviation", json_number(found.test.deviation)},
                       {"ranking", ranking},
                       {"record", arguments.record.string()},
                       {"output", arguments.output.string()}};
  console.result(
      object,
      fmt::format(
          "{}\n\n{}: {}, {} in {}, {:.3g} s{}\n"
          "  split      {}\n"
          "  best       trial {} ({}), by validation {}\n"
          "  test       {}\n"
          "{}",
          table(ranking_rows(found)), printable(dataset.name), arguments.search.model,
          counted(std::ssize(found.ranking), "trial"), counted(found.runs, "run"), found.seconds,
          found.runs_before > 0 ? fmt::format(" ({} in the record before)", found.runs_before) : "",
          printable(found.split), best.trial.number, best.trial.stage,
          spread_text(best.validation_accuracy, best.validation_deviation, best.seeds), test_text(found),
          arguments.output.empty()
              ? "  not saved  -o FILE.preset keeps it:\n" + preset
              : fmt::format("  saved      {0}; `heatfront train {1} --model {2} --preset {0}`",
                            path_text(arguments.output), printable(dataset.name), arguments.search.model)));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  flags.option("--model", arguments->search.model, "Whose settings are searched", "NAME");
  arguments->split.add_to(flags, "Seed of the search: which settings are tried");
  flags.option("--trials", arguments->search.trials,
               "How many settings are tried, a third of them near the best of the others", "N");
  flags.option("--seeds", arguments->seeds,
               "Of training and of random splits: one for every trial, all of them for the best", "LIST");
  flags.option(
      "--time-budget", arguments->time_budget,
      "As 90s, 10m or 1.5h: no more trials begin when their share of it is over, and the best so far are "
      "compared to the end; what is found then depends on the machine's speed",
      "TIME");
  flags.option("--space", arguments->space, "Ranges of the settings; without it, those made for the model",
               "FILE");
  flags.option("--preset", arguments->preset,
               "Settings that all trials share, where the space says nothing; without it the defaults",
               "NAME|FILE|none");
  flags.option("--set", arguments->settings, "Fixes a setting for all trials; may be repeated", "NAME=VALUE");
  flags.option("-o,--output", arguments->output, "Write the best settings to this file", "FILE.preset");
  flags.option(
      "--record", arguments->record,
      "Keep every run in this file, and go on with what it has; without it FILE.record.jsonl beside -o",
      "FILE.jsonl");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace search_command

const Command kSearchCommand{
    "search", "Looks for the settings of a model that do best on validation",
    "heatfront search karate --split \"per-class 3,5\" --trials 12 --set epochs=50 -o "
    "karate.preset",
    search_command::define};

}  // namespace heatfront::cli
