// SPDX-License-Identifier: MIT
// heatfront train DATA: learns a model and writes it as one file.
#include "heatfront/train/fit.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/ranks.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/models/models.h"
#include "heatfront/train/auto_fit.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/files/settings_file.h"
#include "heatfront_io/formats/checkpoint_file.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/partitions/read_partition.h"
#include "heatfront_neighbours/join_points.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace train_command {

struct Arguments {
  DataArgument data;
  SplitArgument split;
  FitOptions fit;
  bool learn_weights = false, mixing = false, quick = false;
  std::string model, preset, solver, base, variant;
  std::filesystem::path output, history, checkpoint;
  TrainRun run;
  bool profile = false;
};

// After a `label` that is at work on the old one, which would else bring it back.
void save(const TrainedModel& model, const std::filesystem::path& path) {
  const FileLock lock(path);
  write_model(model, path);
}

// A flag that stands for a setting of one model.
struct SettingFlag {
  std::string_view name, model, setting;
  std::string value;                    // empty: not given
  std::string_view preset_ending = {};  // of settings of its own for this way to use the model
};

std::vector<SettingFlag> setting_flags(const Arguments& arguments) {
  return {{"--learn-weights", "heat-front", "edge_weights", arguments.learn_weights ? "free" : ""},
          {"--solver", "heat-front", "solver", arguments.solver},
          {"--mixing", "cgnn", "mixing", arguments.mixing ? "true" : "", "_mixing"},
          {"--base", "correct-and-smooth", "base", arguments.base},
          {"--variant", "label-propagation", "variant", arguments.variant}};
}

// --set has the last word over the flags that stand for a setting.
FitOptions fit_options(const Arguments& arguments, const Dataset& dataset) {
  FitOptions options = arguments.fit;
  options.seed = arguments.split.seed;
  options.model =
      arguments.model.empty() ? model_with_preset(arguments.preset, options.model) : arguments.model;
  std::string_view preset_ending;
  std::vector<std::string> given;
  for (const SettingFlag& flag : setting_flags(arguments)) {
    if (flag.value.empty()) continue;
    if (flag.model != options.model)
      fail("{} is for --model {}; {} has no such setting", flag.name, flag.model, options.model);
    given.push_back(fmt::format("{}={}", flag.setting, flag.value));
    if (!flag.preset_ending.empty()) preset_ending = flag.preset_ending;
  }
  options.settings.insert(options.settings.begin(), given.begin(), given.end());
  options.preset = !preset_ending.empty() && arguments.preset.empty()
                       ? PresetChoice{special_preset(options.model, dataset.name, preset_ending)}
                       : open_preset(arguments.preset, options.model);
  return options;
}

// Is no model asked for, nor anything that only one has, and nothing said of which labels are to train?
bool is_left_to_us(const Arguments& arguments, const Dataset& dataset) {
  const bool settled = !arguments.preset.empty() || !arguments.fit.settings.empty() ||
                       std::ranges::any_of(setting_flags(arguments),
                                           [](const SettingFlag& flag) { return !flag.value.empty(); });
  if (arguments.model == kAuto && settled)
    fail("--model {} has no settings of its own; name the model that they are for", kAuto);
  if (arguments.model == kAuto) return true;
  return arguments.model.empty() && !settled && arguments.split.split.empty() && !dataset.split;
}

// A setting without a model's name leads out of auto, which not everybody expects: a line of the answer.
std::string part_trained_text(const Arguments& arguments, const Dataset& dataset) {
  if (!arguments.model.empty() || !arguments.preset.empty() || !arguments.split.split.empty() ||
      dataset.split)
    return "";
  return fmt::format(
      "\n  not auto   a setting is of one model, {}, and a part of the labels trained it;\n"
      "             without one, every label trains and the best of three models answers",
      arguments.fit.model);
}

std::string saved_text(const std::filesystem::path& output) {
  return output.empty() ? "\n  not saved  add -o MODEL to save it" : "\n  saved      " + path_text(output);
}

void run_auto(const Arguments& arguments, Dataset dataset, Console& console) {
  dataset.split =
      arguments.split.split.empty() && !dataset.split ? all_labels(dataset) : arguments.split.choose(dataset);
  const AutoFit result = fit_auto(dataset, {.quick = arguments.quick, .seed = arguments.split.seed},
                                  console.threads(), console.progress());
  if (!arguments.output.empty()) save(result.fit.model, arguments.output);
  if (!arguments.history.empty()) write_history(result.fit.training.history, arguments.history);
  Json object = json_of(result);
  object["output"] = arguments.output.string();
  console.result(object, text_of(result) + saved_text(arguments.output));
}

void run_targets(const Arguments& arguments, Dataset dataset, Console& console) {
  std::vector<SettingFlag> given = setting_flags(arguments);
  std::erase_if(given, [](const SettingFlag& flag) { return flag.value.empty(); });
  refuse_class_flags({{given.empty() ? "" : given.front().name, !given.empty()},
                      {"--preset", !arguments.preset.empty()},
                      {"--history", !arguments.history.empty()},
                      {"--profile", arguments.profile},
                      {"--checkpoint", !arguments.checkpoint.empty()},
                      {"--quick", arguments.quick}});
  dataset.split = arguments.split.split.empty() && !dataset.split ? all_targets(dataset)
                                                                  : arguments.split.choose(dataset);
  train_targets(dataset,
                {.model = arguments.model.empty() ? std::string(kAuto) : arguments.model,
                 .settings = arguments.fit.settings},
                arguments.output, console);
}

// With what the checkpoint has, where there is one already.
TrainRun train_run(const Arguments& arguments) {
  TrainRun run = arguments.run;
  if (run.judge_every < 1 || run.save_every < 1)
    fail("--judge-every {}, --checkpoint-every {}: they must be 1 or more", run.judge_every, run.save_every);
  const std::filesystem::path& path = arguments.checkpoint;
  if (path.empty()) return run;
  run.save = [path](const Checkpoint& point) { write_checkpoint(point, path); };
  std::error_code unreadable;
  if (std::filesystem::exists(path, unreadable)) run.from = read_checkpoint(path);
  return run;
}

// What a training that has come to its end leaves.
void write_and_tell(const Arguments& arguments, const FitReport& report, const std::string& part_text,
                    Console& console) {
  const Fit& fit = report.fit;
  if (!arguments.output.empty()) save(fit.model, arguments.output);
  if (!arguments.history.empty()) write_history(fit.training.history, arguments.history);
  if (!arguments.checkpoint.empty() && !fit.training.stopped) std::filesystem::remove(arguments.checkpoint);
  Json object = json_of(report);
  object["output"] = arguments.output.string();
  console.result(object, text_of(report) + part_text + saved_text(arguments.output) +
                             (arguments.profile ? "\n\n" + profile_text(fit) : ""));
}

EpochCallback on_epoch(Console& console) {
  return [progress = console.progress()](const EpochReport& report, const EpochReport& best) {
    return progress(progress_of(report, best));
  };
}

// Each process with its rows of a graph in parts; the first one has the model at the end.
void run_on_ranks(const Arguments& arguments, Console& console) {
  const Stopwatch load_watch;
  const Cluster& cluster = *console.cluster;
  const std::filesystem::path folder = arguments.data.data;
  PartitionIndex index;
  Dataset nodes;
  TrainRun run;
  FitOptions options;
  agreed(cluster.ranks(), [&] {
    if (cluster.ranks().rank() == 0) {
      check_writable(arguments.output);
      check_writable(arguments.history);
    }
    index = read_index(folder);
    nodes = read_partition_nodes(folder, index, console.threads());
    if (arguments.quick || is_left_to_us(arguments, nodes))
      fail(
          "{}: to choose among models, labels are left out of the graph as a whole; --model heat-front "
          "trains on "
          "parts",
          folder.string());
    nodes.split = arguments.split.choose(nodes);
    console.remark(untrained_remarks(nodes, *nodes.split));
    options = fit_options(arguments, nodes);
    run = train_run(arguments);
  });
  RankGraph graph = read_rank_graph(folder, index, cluster, console.threads());
  Features features = read_rank_features(folder, index, graph, cluster);
  const RankData rows = rank_data(std::move(graph), nodes, std::move(features));
  const PartedData data{.nodes = nodes, .arcs = index.arcs, .rows = rows, .whole = [&] {
                          return read_partition(folder, console.threads());
                        }};
  const double load_seconds = load_watch.seconds();
  const Fit fit = fit_on_ranks(data, options, cluster, console.threads(), on_epoch(console), run);
  agreed(cluster.ranks(), [&] {
    if (cluster.ranks().rank() != 0) return;
    const FitReport report{.fit = fit, .load_seconds = load_seconds, .profile = arguments.profile};
    write_and_tell(arguments, report, "", console);
  });
}

void run(const Arguments& arguments, Console& console) {
  check_outputs({{arguments.output, kModelFile},
                 {arguments.history, kHistoryTable},
                 {arguments.checkpoint, kCheckpointFile}});
  if (console.cluster->ranks().count() > 1 && is_partition(arguments.data.data))
    return run_on_ranks(arguments, console);
  check_writable(arguments.output);
  check_writable(arguments.history);
  check_writable(arguments.checkpoint);
  const Stopwatch load_watch;
  Dataset dataset = arguments.data.open(console);
  check_keeps_reviews(arguments.output, dataset, console.threads());
  if (dataset.targets.present()) return run_targets(arguments, std::move(dataset), console);
  console.remark(join_lone_points(dataset, console.threads(), console.progress()));
  if (is_left_to_us(arguments, dataset) && (!arguments.checkpoint.empty() || arguments.run.judge_every != 1))
    fail("--checkpoint and --judge-every are for a model by name, such as --model heat-front");
  if (is_left_to_us(arguments, dataset)) return run_auto(arguments, std::move(dataset), console);
  if (arguments.quick) fail("--quick is for --model {}; nothing else leaves the network out", kAuto);
  const std::string part_text = part_trained_text(arguments, dataset);
  dataset.split = arguments.split.choose(dataset);
  console.remark(untrained_remarks(dataset, *dataset.split));
  const double load_seconds = load_watch.seconds();

  const Fit fit = heatfront::fit(dataset, fit_options(arguments, dataset), console.threads(),
                                 on_epoch(console), console.progress(), train_run(arguments));
  write_and_tell(arguments, {.fit = fit, .load_seconds = load_seconds, .profile = arguments.profile},
                 part_text, console);
}

// Of all models.
std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const ModelEntry& model : models()) {
    for (const OptionField& field : ModelSettings(model.name).fields) names.emplace_back(field.name);
  }
  return names;
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  arguments->split.add_to(flags, "Seed of a random split and of training",
                          "all labels train (auto), or 'percent 40,40' for a model by name");
  flags.output("-o,--output", arguments->output,
               "Write the model to this file; on Ctrl-C, the best epoch of a network so far", "MODEL");
  flags.option("--model", arguments->model,
               "Model to train; `heatfront models` lists all. auto: the best of flow-alone, linear-front and "
               "heat-front by "
               "labels left out, on all labels; default: auto for data without a split, otherwise heat-front",
               "NAME");
  flags.flag("--quick", arguments->quick, "auto: do without heat-front, which takes most of the time");
  flags.flag("--learn-weights", arguments->learn_weights, "heat-front: also learn a weight for every edge");
  flags.option("--solver", arguments->solver, "heat-front: solver of the flows; dopri5 is the paper's way",
               "NAME");
  flags.option("--base", arguments->base,
               "correct-and-smooth: the model that predicts first, mlp, linear, heat-front or gcn", "NAME");
  flags.flag("--mixing", arguments->mixing, "cgnn: let the channels of the state mix");
  flags.option("--variant", arguments->variant, "label-propagation: zhu or zhou", "NAME");
  flags.option(
      "--preset", arguments->preset,
      "Ready-made settings, by the name of a data set or from a file; default: those named like the data, "
      "otherwise the defaults below",
      "NAME|FILE|none");
  flags.option("--set", arguments->fit.settings,
               "One of the settings below, over the preset; may be repeated", "NAME=VALUE");
  flags.output("--history", arguments->history, "Write losses and accuracies of every epoch", "FILE.csv");
  flags.output("--checkpoint", arguments->checkpoint,
               "Write where training stands to this file, and go on from there if it is there; removed when "
               "training is complete",
               "FILE.npz");
  flags.option("--checkpoint-every", arguments->run.save_every, "Epochs from one checkpoint to the next",
               "N");
  flags.option("--judge-every", arguments->run.judge_every,
               "Judge by the validation nodes every N epochs; only an epoch that is judged can be kept", "N");
  flags.settings(setting_names);
  flags.flag("--profile", arguments->profile, "Show where the time of an epoch goes");
  flags.appendix(
      [model = arguments->fit.model] {
        return wrapped(
                   "No setting is needed: without any, and without a split, every label trains, and labels "
                   "left out choose the model. A setting belongs to one model, whose best epoch the "
                   "validation nodes of a split choose.",
                   kTerminalColumns) +
               "\n\n" +
               wrapped(
                   "Settings of heat-front [default for data without a preset; range]; `heatfront models "
                   "NAME` has those of others:\n",
                   kTerminalColumns) +
               describe_settings(model);
      },
      kSettingColumn);
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace train_command

const Command kTrainCommand{"train", "Learns from a few labels: all of them, unless a split says which train",
                            "heatfront train karate -o karate.hf", train_command::define};

}  // namespace heatfront::cli
