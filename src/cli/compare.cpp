// SPDX-License-Identifier: MIT
// heatfront compare DATA: several models on the same data, and which differences are more than chance.
#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/result_files.h"
#include "cli/resumable.h"
#include "heatfront/base/text.h"
#include "heatfront_experiment/compare/compare.h"
#include "heatfront_experiment/compare/compare_report.h"
#include "heatfront_io/files/output_file.h"

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

std::string models_table(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows = {
      {"model", "test %", "validation %", "best is better by", "preset", "s a run"}};
  for (std::size_t i = 0; i < comparison.models.size(); ++i) {
    const ComparedModel& model = comparison.models[i];
    rows.push_back({model.name, percent_text(model.test), percent_text(model.validation),
                    i == 0 ? "" : difference_text(comparison.pairs[i - 1]), model.runs.front().preset,
                    fmt::format("{:.3g}", model.seconds.mean)});
  }
  return table(rows);
}

Json model_json(const ComparedModel& model) {
  Json runs = Json::array();
  for (const TableRun& run : model.runs)
    runs.push_back({{"seed", run.seed},
                    {"split", run.split},
                    {"test_accuracy", json_number(run.test_accuracy)},
                    {"validation_accuracy", json_number(run.validation_accuracy)},
                    {"epochs", run.epochs},
                    {"seconds", run.seconds}});
  return {{"model", model.name},
          {"test_mean", json_number(model.test.mean)},
          {"test_deviation", json_number(model.test.deviation)},
          {"preset", model.runs.front().preset},
          {"parameters", model.runs.front().parameters},
          {"seconds_mean", model.seconds.mean},
          {"runs", runs}};
}

Json comparison_json(const Comparison& comparison) {
  Json models = Json::array(), pairs = Json::array();
  for (const ComparedModel& model : comparison.models) models.push_back(model_json(model));
  for (const ComparedPair& pair : comparison.pairs)
    pairs.push_back({{"better", comparison.models[pair.better].name},
                     {"other", comparison.models[pair.other].name},
                     {"difference", json_number(pair.difference.mean)},
                     {"low", pair.repeated ? Json() : json_number(pair.difference.low)},
                     {"high", pair.repeated ? Json() : json_number(pair.difference.high)},
                     {"every_run_the_same", pair.repeated},
                     {"more_than_chance", pair.tells()}});
  return {{"models", models},
          {"pairs", pairs},
          {"confidence", Comparison::kConfidence},
          {"verdict", verdict(comparison)},
          {"runs_before", comparison.runs_before},
          {"seconds", comparison.seconds}};
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
  tell_untrained(dataset, arguments.split.choose(dataset), console);
  if (files) make_folder(arguments.output);
  const Comparison comparison = resumable(
      options.record, [&] { return compare(dataset, options, console.threads(), console.progress()); });
  const std::string command = command_text(arguments, dataset);
  if (files)
    files->write(markdown_of(comparison, command), csv_of(comparison),
                 html_of(comparison, dataset.name, command));
  Json object = comparison_json(comparison);
  object.update({{"dataset", dataset.name}, {"output", arguments.output.string()}});
  console.result(
      object,
      fmt::format(
          "{}\n\n{}: {}; differences in points, all together with {:.0f} % confidence\n{}\n{}",
          models_table(comparison), printable(dataset.name), runs_text(comparison),
          100 * Comparison::kConfidence, printable(verdict(comparison)),
          files ? fmt::format("written to {}: runs.jsonl, {}", path_text(arguments.output), files->names())
                : "not written: -o FOLDER keeps the runs, and goes on where it was interrupted"));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  flags.option("--models", arguments->models,
               "Two or more, each with what is set otherwise than in its preset, as \"heat-front, gcn, cgnn "
               "mixing=true\"; preset=FILE for a preset of its own",
               "LIST");
  arguments->split.add_to(flags,
                          "Seed of the first run, of training and of random splits; the next has the next");
  flags.option("--runs", arguments->runs, "Of each model", "N");
  flags.option("-o,--output", arguments->output, "Folder for the record of the runs and the tables",
               "FOLDER");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace compare_command

const Command kCompareCommand{"compare", "Sets models beside each other on the same splits",
                              "heatfront compare karate --models heat-front,gcn,label-propagation --runs 20",
                              compare_command::define};

}  // namespace heatfront::cli
