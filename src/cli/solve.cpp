// SPDX-License-Identifier: MIT
// heatfront solve DATA: lets heat flow from the known labels.
#include <fmt/core.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/agree.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/label/flow_task.h"
#include "heatfront/label/rank_task.h"
#include "heatfront/solve/solvers.h"
#include "heatfront_io/formats/flow_inputs.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/partitions/read_partition.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace solve_command {

struct Arguments {
  FlowArguments flow;
  std::string time = "5";
  std::string class_prior = "none";
  std::filesystem::path output, predictions;
};

double parse_time(const std::string& text) {
  if (text == "inf") return FlowOptions::kForever;
  const std::optional<double> time = parse_number(text);
  if (!time || !(*time >= 0)) fail("--time {}: it must be 0 or more, or inf", text);
  return *time;
}

std::string written_text(const Arguments& arguments) {
  std::vector<std::string> files;
  for (const std::filesystem::path* path : {&arguments.output, &arguments.predictions}) {
    if (!path->empty()) files.push_back(path_text(*path));
  }
  return files.empty() ? "not written: --predictions FILE.csv saves the class of every node"
                       : "written    " + join(files, ", ");
}

void write_and_tell(const Arguments& arguments, const FlowTask& task, const FlowSolution& solution,
                    Console& console) {
  if (!arguments.output.empty()) write_temperatures(solution.answer, arguments.output);
  if (!arguments.predictions.empty())
    write_predictions(task.dataset, predictions_of(solution.answer), arguments.predictions);

  Json object = json_of(task, solution);
  object["output"] = json_path(arguments.output);
  object["predictions"] = json_path(arguments.predictions);
  console.result(object, text_of(task, solution) + "\n  " + written_text(arguments));
}

// A graph in parts: on this machine part by part from disk, or shared out among the ranks of a cluster.
void run_on_ranks(const Arguments& arguments, Console& console) {
  const Cluster& cluster = *console.cluster;
  PartedTask parted;
  agreed(cluster.ranks(), [&] {
    parted = arguments.flow.open_parts(console);
    parted.task.options.time = parse_time(arguments.time);
    parted.task.class_prior = read_class_prior(arguments.class_prior, parted.task.known, parted.task.dataset);
    check_on_ranks(parted.task);
  });
  const RankGraph graph = read_rank_graph(arguments.flow.data.data, parted.index, cluster, console.threads());
  const FlowSolution solution =
      solve_on_ranks(parted.task, graph, !arguments.output.empty(), cluster, console.threads());
  agreed(cluster.ranks(), [&] {
    if (cluster.ranks().rank() == 0) write_and_tell(arguments, parted.task, solution, console);
  });
}

void run(const Arguments& arguments, Console& console) {
  std::vector<std::filesystem::path> inputs = files_of_dataset(arguments.flow.data.data);
  inputs.insert(inputs.end(), {arguments.flow.known, arguments.class_prior});
  check_outputs({{arguments.output, kTemperatureFile}, {arguments.predictions, kPredictionTable}}, inputs);
  if (is_partition(arguments.flow.data.data)) return run_on_ranks(arguments, console);
  Dataset dataset = arguments.flow.data.open(console);
  if (dataset.targets.present()) {
    refuse_class_flags(
        {{"--class-prior", arguments.class_prior != "none"}, {"--output", !arguments.output.empty()}});
    TargetFlowTask task = arguments.flow.open_targets(std::move(dataset));
    task.options.time = parse_time(arguments.time);
    return solve_targets(task, {.predictions = arguments.predictions}, console);
  }
  FlowTask task = arguments.flow.open(std::move(dataset));
  task.options.time = parse_time(arguments.time);
  task.class_prior = read_class_prior(arguments.class_prior, task.known, task.dataset);
  console.remark(
      memory_remarks(task, estimate_memory(task.problem(), task.options), "the classes are solved in turns"));
  write_and_tell(arguments, task, solve(task, console.threads()), console);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->flow.add_to(flags, "more classes than fit are solved in turns");
  flags.option("--time", arguments->time,
               "How long heat flows, and so how far labels reach; inf: until nothing changes any more",
               "T|inf");
  flags.option("--solver", arguments->flow.options.solver, described(solvers()), "NAME");
  flags.option("--step", arguments->flow.options.solve.step,
               "Step size of the solvers with fixed steps; 0: chosen automatically", "X");
  flags.option("--class-prior", arguments->class_prior,
               "Give every class its share of the heat (class-mass normalisation): none, labelled (shares "
               "of the known "
               "labels), or a CSV file of class,share",
               "WHICH");
  flags.output("-o,--output", arguments->output, "Write temperatures, classes and status to this npz",
               "FILE.npz");
  flags.output("--predictions", arguments->predictions, "Write node, class, confidence, margin and status",
               "FILE.csv");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace solve_command

const Command kSolveCommand{
    "solve", "Lets heat flow from the known labels and gives every node a class",
    "heatfront solve karate --split \"per-class 2,3\" --time 5 --predictions karate.csv",
    solve_command::define};

}  // namespace heatfront::cli
