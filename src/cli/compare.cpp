// SPDX-License-Identifier: MIT
// heatfront compare DATA: several models on the same data, and which differences are more than chance.
#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_experiment/compare/compare.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_report/comparison_report.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace compare_command {

namespace fs = std::filesystem;

struct Arguments {
  DataArgument data;
  SplitArgument split;
  std::string models = "auto,heat-front,gcn,label-propagation";
  std::int64_t runs = CompareOptions().runs;
  fs::path output;
  std::string choose = "folds";
};

Choosing choosing_of(const std::string& name) {
  if (name == "folds") return Choosing::folds;
  if (name == "presets") return Choosing::presets;
  fail("--choose {}: it must be folds or presets", name);
}

std::string command_text(const Arguments& arguments, const Dataset& dataset) {
  std::string text = fmt::format("heatfront compare {}{} --models {} --runs {}", dataset.name,
                                 arguments.data.flags_text(), shell_word(arguments.models), arguments.runs);
  if (!arguments.split.split.empty()) text += " --split " + shell_word(arguments.split.split);
  if (arguments.choose != Arguments().choose) text += " --choose " + arguments.choose;
  if (arguments.split.seed != 0) text += fmt::format(" --seed {}", arguments.split.seed);
  return text;
}

void run(const Arguments& arguments, Console& console) {
  CompareOptions options{.models = split_at(arguments.models, ','),
                         .split = arguments.split.split,
                         .runs = arguments.runs,
                         .seed = arguments.split.seed,
                         .record = {},
                         .choose = choosing_of(arguments.choose)};
  std::optional<ResultFiles> files;
  if (!arguments.output.empty()) {
    files.emplace(arguments.output, "comparison.md", "comparison.csv", "comparison.html");
    options.record = files->record();
  }
  const Dataset dataset = arguments.data.open(console);
  console.remark(untrained_remarks(dataset, arguments.split.choose(dataset)));
  if (files) make_folder(arguments.output);
  const Comparison comparison = resumable(
      options.record, [&] { return compare(dataset, options, console.threads(), console.progress()); });
  const std::string command = command_text(arguments, dataset);
  if (files)
    files->write(markdown_of(comparison, dataset, command), csv_of(comparison),
                 html_of(comparison, dataset, command));
  Json object = json_of(comparison, dataset);
  object["output"] = arguments.output.string();
  console.result(
      object,
      text_of(comparison, dataset) + "\n" +
          (files ? fmt::format("written to {}: runs.jsonl, {}", path_text(arguments.output), files->names())
                 : "not written: -o FOLDER keeps the runs, and goes on where it was interrupted"));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  flags.option("--models", arguments->models,
               "Two or more models, or auto, followed by those of its settings that are fixed, such as "
               "\"auto, gcn, cgnn mixing=true\"; preset=FILE takes a preset from a file",
               "LIST");
  flags.option(
      "--choose", arguments->choose,
      "What chooses the other settings. folds: of a few sets for each model, the one that is best for "
      "folds of the training labels, which also say for how many epochs it trains; so every model has the "
      "same to go by. presets: its preset for the data, as the paper's tables, or else its defaults, "
      "and the epoch by validation nodes; about twenty times as quick",
      "folds|presets");
  arguments->split.add_to(
      flags, "Seed of the first run, for training and random splits; each further run takes the next one");
  flags.option("--runs", arguments->runs, "Runs of each model", "N");
  flags.option("-o,--output", arguments->output, "Folder for the record of the runs and the tables",
               "FOLDER");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace compare_command

const Command kCompareCommand{"compare", "Compares models on the same splits",
                              "heatfront compare karate --models auto,gcn,label-propagation --runs 20",
                              compare_command::define};

}  // namespace heatfront::cli
