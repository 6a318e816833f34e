// SPDX-License-Identifier: MIT
// heatfront search DATA: searches for the settings of a model that do best on validation nodes.
#include <fmt/core.h>

#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_experiment/search/search.h"
#include "heatfront_experiment/search/search_arguments.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_report/output_files.h"
#include "heatfront_report/search_report.h"

namespace heatfront::cli {
namespace search_command {

namespace fs = std::filesystem;

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
  std::string text = fmt::format("heatfront search {}{} --model {} --trials {} --seeds {}", dataset.name,
                                 arguments.data.flags_text(), arguments.search.model, arguments.search.trials,
                                 arguments.seeds);
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
  check_writable(arguments.output);
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

  Json object = json_of(found, arguments.search, dataset.name);
  object["record"] = arguments.record.string();
  object["output"] = arguments.output.string();
  const std::string saved =
      arguments.output.empty()
          ? "  not saved  -o FILE.preset keeps it:\n" + preset
          : fmt::format("  saved      {0}; `heatfront train {1}{2} --model {3} --preset {0}`",
                        path_text(arguments.output), printable(shell_word(arguments.data.data)),
                        printable(arguments.data.flags_text()), arguments.search.model);
  console.result(object, text_of(found, arguments.search, dataset.name) + "\n" + saved);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  flags.option("--model", arguments->search.model, "The model whose settings are searched", "NAME");
  arguments->split.add_to(flags, "Seed of the search: which settings are tried");
  flags.option("--trials", arguments->search.trials,
               "How many settings are tried, a third of them near the best of the others", "N");
  flags.option("--seeds", arguments->seeds,
               "Seeds of training and of random splits: one for every trial, all of them for the best",
               "LIST");
  flags.option("--time-budget", arguments->time_budget,
               "Such as 90s, 10m or 1.5h: no more trials are started when their share of it has passed, and "
               "the best so far are compared to the end; the result then depends on the machine's speed",
               "TIME");
  flags.option("--space", arguments->space, "Ranges of the settings; default: those made for the model",
               "FILE");
  flags.option(
      "--preset", arguments->preset,
      "Settings that all trials share, where the space does not set them; default: the model's defaults",
      "NAME|FILE|none");
  flags.option("--set", arguments->settings, "Fixes a setting for all trials; may be repeated", "NAME=VALUE");
  flags.output("-o,--output", arguments->output, "Write the best settings to this file", "FILE.preset");
  flags.option(
      "--record", arguments->record,
      "Keep every run in this file, and continue from what it holds; default: FILE.record.jsonl next to -o",
      "FILE.jsonl");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace search_command

const Command kSearchCommand{
    "search", "Searches for the settings of a model that do best on validation nodes",
    "heatfront search karate --split \"per-class 3,5\" --trials 12 --set epochs=50 -o "
    "karate.preset",
    search_command::define};

}  // namespace heatfront::cli
