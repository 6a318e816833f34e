// SPDX-License-Identifier: MIT
// heatfront train DATA: learns a model and writes it as one file.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output_kind.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/train/fit.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"
#include "heatfront_io/files/file_lock.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/files/settings_file.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/tables/csv_file.h"

namespace heatfront::cli {
namespace train_command {

struct Arguments {
  DataArgument data;
  SplitArgument split;
  FitOptions fit;
  bool learn_weights = false, mixing = false;
  std::string preset, solver, base, variant;
  std::filesystem::path output, history;
  bool profile = false;
};

struct Phase {
  std::string_view name;
  double seconds;
};

std::vector<Phase> phases(const TrainSeconds& seconds) {
  return {{"shared", seconds.model.shared},
          {"forward", seconds.model.forward},
          {"flow", seconds.model.flow},
          {"backward", seconds.model.backward},
          {"optimiser", seconds.optimiser},
          {"judge_network", seconds.model.judge_network},
          {"judge_flow", seconds.model.judge_flow},
          {"judge_scores", seconds.judge}};
}

void write_history(std::span<const EpochReport> history, const std::filesystem::path& path) {
  CsvFile file(path, "epoch,loss,validation_loss,train_accuracy,validation_accuracy,test_accuracy");
  for (const EpochReport& report : history) {
    file.add("{},{:.9g},{},{},{},{}\n", report.epoch, report.loss, csv_number(report.validation_loss, 9),
             csv_number(report.train_accuracy, 6), csv_number(report.validation_accuracy, 6),
             csv_number(report.test_accuracy, 6));
  }
  file.commit();
}

// Fails now rather than after an hour of training.
void check_writable(const std::filesystem::path& path) {
  if (!path.empty()) OutputFile probe(path);
}

// After a `label` that is at work on the old one, which would else bring it back.
void save(const TrainedModel& model, const std::filesystem::path& path) {
  const FileLock lock(path);
  write_model(model, path);
}

// Flags that stand for a setting of one model; --set has the last word.
void add_flags_to(std::vector<std::string>& settings, const Arguments& arguments) {
  struct Flag {
    std::string_view name, model, setting;
    std::string value;  // empty: not given
  };
  const Flag flags[] = {
      {"--learn-weights", "heat-front", "learn_weights", arguments.learn_weights ? "true" : ""},
      {"--solver", "heat-front", "solver", arguments.solver},
      {"--mixing", "cgnn", "mixing", arguments.mixing ? "true" : ""},
      {"--base", "correct-and-smooth", "base", arguments.base},
      {"--variant", "label-propagation", "variant", arguments.variant}};
  std::vector<std::string> given;
  for (const Flag& flag : flags) {
    if (flag.value.empty()) continue;
    if (flag.model != arguments.fit.model)
      fail("{} is for --model {}; {} has no such setting", flag.name, flag.model, arguments.fit.model);
    given.push_back(fmt::format("{}={}", flag.setting, flag.value));
  }
  settings.insert(settings.begin(), given.begin(), given.end());
}

EpochCallback show_epochs(Console& console) {
  return [progress = console.progress()](const EpochReport& report, const EpochReport& best) {
    return progress(
        {.stage = "training",
         .done = report.epoch,
         .total = report.epochs,
         .unit = "epochs",
         .detail = fmt::format("loss {:.4f}, validation {} (kept {}), train {}, test {}", report.loss,
                               percent(report.validation_accuracy), percent(best.validation_accuracy),
                               percent(report.train_accuracy), percent(report.test_accuracy))});
  };
}

Json phases_json(const Fit& fit) {
  Json object;
  const auto epochs = static_cast<double>(fit.training.history.size());
  for (const Phase& phase : phases(fit.training.seconds))
    object[std::string(phase.name)] = phase.seconds / epochs;
  return object;
}

std::string phases_text(const Fit& fit) {
  const auto epochs = static_cast<double>(fit.training.history.size());
  std::vector<std::vector<std::string>> rows = {{"phase", "ms an epoch"}};
  for (const Phase& phase : phases(fit.training.seconds))
    rows.push_back({std::string(phase.name), fmt::format("{:.3f}", 1000 * phase.seconds / epochs)});
  return "\n\n" + table(rows) +
         "\n(a step and judging the one before run side by side where there are threads for it)";
}

std::string kept_text(const Fit& fit) {
  if (fit.model.split().validation.empty())
    return fmt::format("epoch {}, the last: the split has no validation nodes", fit.training.best.epoch);
  return fmt::format("epoch {}, by {}", fit.training.best.epoch, fit.model.selected_by);
}

std::string ending_text(const Fit& fit) {
  if (fit.training.stopped) return " (interrupted: the best so far is kept)";
  return fit.training.out_of_patience ? " (no better one came for a while)" : "";
}

// How long the flow beside it ran: as the model's own, or for as long as a heat-front's without settings.
std::string flow_time_text(const Fit& fit) {
  return std::isnan(fit.flow_time) ? "" : fmt::format(" to t = {}", fit.flow_time);
}

void run(Arguments arguments, Console& console) {
  check_outputs({{arguments.output, kModelFile}, {arguments.history, kHistoryTable}});
  check_writable(arguments.output);
  check_writable(arguments.history);
  const Stopwatch load_watch;
  Dataset dataset = arguments.data.open(console);
  dataset.split = arguments.split.choose(dataset);
  tell_untrained(dataset, *dataset.split, console);
  const double load_seconds = load_watch.seconds();
  arguments.fit.seed = arguments.split.seed;
  add_flags_to(arguments.fit.settings, arguments);
  arguments.fit.preset = arguments.mixing && arguments.preset.empty()
                             ? PresetChoice{special_preset(arguments.fit.model, dataset.name, "_mixing")}
                             : open_preset(arguments.preset, arguments.fit.model);

  const Fit fit = heatfront::fit(dataset, arguments.fit, console.threads(), show_epochs(console));
  if (!arguments.output.empty()) save(fit.model, arguments.output);
  if (!arguments.history.empty()) write_history(fit.training.history, arguments.history);

  const EpochReport& best = fit.training.best;
  const auto epochs = std::ssize(fit.training.history);
  const double epoch_seconds = fit.training.seconds.train / static_cast<double>(epochs);
  Json seconds = {{"load", load_seconds}, {"train", fit.training.seconds.train}, {"epoch", epoch_seconds}};
  if (arguments.profile) seconds["phases"] = phases_json(fit);
  const Json object = {{"dataset", dataset.name},
                       {"split", split_json(*dataset.split)},
                       {"seed", arguments.fit.seed},
                       {"model", arguments.fit.model},
                       {"preset", fit.preset},
                       {"options", fit.model.options},
                       {"known_from", "train"},
                       {"parameters", fit.parameters},
                       {"epochs", epochs},
                       {"best_epoch", best.epoch},
                       {"selected_by", fit.model.selected_by},
                       {"interrupted", fit.training.stopped},
                       {"train_accuracy", json_number(best.train_accuracy)},
                       {"validation_accuracy", json_number(best.validation_accuracy)},
                       {"test_accuracy", json_number(best.test_accuracy)},
                       {"validation_loss", json_number(best.validation_loss)},
                       {"flow_alone",
                        {{"validation_accuracy", json_number(fit.flow_validation_accuracy)},
                         {"test_accuracy", json_number(fit.flow_test_accuracy)}}},
                       {"products", fit.products},
                       {"seconds", seconds},
                       {"output", arguments.output.string()}};
  console.result(
      object,
      fmt::format("{}: {} with {}, seed {}\n"
                  "  split      {}\n"
                  "  trained    {}, {} in {} ({} each){}\n"
                  "  kept       {}\n"
                  "  accuracy   train {}, validation {}, test {}\n"
                  "  beside it  validation {}, test {} by the flow alone{}, nothing learned{}{}",
                  printable(dataset.name), arguments.fit.model,
                  fit.preset == "none" ? "the default settings" : "preset " + printable(fit.preset),
                  arguments.fit.seed, split_text(*dataset.split), counted(fit.parameters, "parameter"),
                  counted(epochs, "epoch"), time_text(fit.training.seconds.train), time_text(epoch_seconds),
                  ending_text(fit), kept_text(fit), percent(best.train_accuracy),
                  percent(best.validation_accuracy), percent(best.test_accuracy),
                  percent(fit.flow_validation_accuracy), percent(fit.flow_test_accuracy), flow_time_text(fit),
                  arguments.output.empty() ? "\n  not saved  -o MODEL keeps it"
                                           : "\n  saved      " + path_text(arguments.output),
                  arguments.profile ? phases_text(fit) : ""));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  arguments->split.add_to(flags, "Seed of a random split and of training");
  flags.option("-o,--output", arguments->output,
               "Write the model to this file; Ctrl-C keeps the best epoch so far", "MODEL");
  flags.option("--model", arguments->fit.model, "What to train; `heatfront models` lists all", "NAME");
  flags.flag("--learn-weights", arguments->learn_weights, "heat-front: learn a weight for every edge, too");
  flags.option("--solver", arguments->solver, "heat-front: solver of the flows; dopri5 is the paper's way",
               "NAME");
  flags.option("--base", arguments->base,
               "correct-and-smooth: the model that predicts first, mlp, linear, heat-front or gcn", "NAME");
  flags.flag("--mixing", arguments->mixing, "cgnn: let the channels of the state mix");
  flags.option("--variant", arguments->variant, "label-propagation: zhu or zhou", "NAME");
  flags.option(
      "--preset", arguments->preset,
      "Settings by the name of a data set or from a file; without it: those named like the data, else the "
      "defaults below",
      "NAME|FILE|none");
  flags.option("--set", arguments->fit.settings,
               "One of the settings below, over the preset; may be repeated", "NAME=VALUE");
  flags.option("--history", arguments->history, "Write losses and accuracies of every epoch", "FILE.csv");
  flags.flag("--profile", arguments->profile, "Say where the time of an epoch goes");
  flags.appendix(
      "Settings of heat-front [and their defaults, made for data without a preset]; `heatfront models "
      "NAME` has those of others:\n" +
          describe_settings(arguments->fit.model),
      kSettingColumn);
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace train_command

const Command kTrainCommand{"train", "Learns from a few labels, and keeps the best by validation as a model",
                            "heatfront train cora -o cora.hf", train_command::define};

}  // namespace heatfront::cli
