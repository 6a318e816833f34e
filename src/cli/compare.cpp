// SPDX-License-Identifier: MIT
// heatfront compare DATA: several models on the same data, and which differences are more than chance.
#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
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
  std::string models = "heat-front,gcn,label-propagation";
  std::int64_t runs = CompareOptions().runs;
  fs::path output;
};

std::string command_text(const Arguments& arguments, const Dataset& dataset) {
  std::string text = fmt::format("heatfront compare {} --models {} --runs {}", dataset.name,
                                 shell_word(arguments.models), arguments.runs);
  if (!arguments.split.split.empty()) text += " --split " + shell_word(arguments.split.split);
  if (arguments.split.seed != 0) text += fmt::format(" --seed {}", arguments.split.seed);
  return text;
}

void run(const Arguments& arguments, Console& console) {
  CompareOptions options{.models = split_at(arguments.models, ','),
                         .split = arguments.split.split,
                         .runs = arguments.runs,
                         .seed = arguments.split.seed,
                         .record = {}};
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
    files->write(markdown_of(comparison, command), csv_of(comparison),
                 html_of(comparison, dataset.name, command));
  Json object = json_of(comparison, dataset.name);
  object["output"] = arguments.output.string();
  console.result(
      object,
      text_of(comparison, dataset.name) + "\n" +
          (files ? fmt::format("written to {}: runs.jsonl, {}", path_text(arguments.output), files->names())
                 : "not written: -o FOLDER keeps the runs, and goes on where it was interrupted"));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  flags.option("--models", arguments->models,
               "Two or more models, each with the settings that differ from its preset, such as "
               "\"heat-front, gcn, cgnn mixing=true\"; preset=FILE takes a preset from a file",
               "LIST");
  arguments->split.add_to(
      flags, "Seed of the first run, for training and random splits; each further run takes the next one");
  flags.option("--runs", arguments->runs, "Of each model", "N");
  flags.option("-o,--output", arguments->output, "Folder for the record of the runs and the tables",
               "FOLDER");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace compare_command

const Command kCompareCommand{"compare", "Compares models on the same splits",
                              "heatfront compare karate --models heat-front,gcn,label-propagation --runs 20",
                              compare_command::define};

}  // namespace heatfront::cli
