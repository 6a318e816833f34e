// SPDX-License-Identifier: MIT
// heatfront solve DATA: lets heat flow from the known labels.
#include <fmt/core.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/ranks.h"
#include "heatfront/base/text.h"
#include "heatfront/flow/energies/energies.h"
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
  std::string time = "auto";
  std::string class_prior = "auto";
  std::string energy = std::string(kFlowEnergy);
  double p = 2;
  std::filesystem::path output, predictions;
};

bool is_chosen(const std::string& text) { return text == "auto"; }

double parse_time(const std::string& text) {
  if (is_chosen(text)) return kUsualTime;
  if (text == "inf") return FlowOptions::kForever;
  const std::optional<double> time = parse_number(text);
  if (!time || !(*time >= 0 && *time <= kLongestTime))
    fail("--time {}: it must be 0 or more and at most {:g}, inf or auto", text, kLongestTime);
  return *time;
}

// What only the flow has.
void refuse_flow_flags(const Arguments& arguments, const EnergyEntry& energy) {
  const FlowArguments &flow = arguments.flow, usual;
  for (const auto& [flag, given] :
       {std::pair("--time", !is_chosen(arguments.time)), std::pair("--solver", !flow.options.solver.empty()),
        std::pair("--step", flow.options.solve.step != usual.options.solve.step),
        std::pair("--lambda", flow.options.lambda != usual.options.lambda),
        std::pair("--laplacian", !flow.laplacian.empty()), std::pair("--no-self-loops", flow.no_self_loops),
        std::pair("--self-loop-weight", flow.self_loop != usual.self_loop), std::pair("--free", flow.free),
        std::pair("--reorder", flow.reorder != usual.reorder),
        std::pair("--memory", flow.memory_megabytes != usual.memory_megabytes)}) {
    if (given) fail("--energy {} goes to rest by a way of its own; it does not take {}", energy.name, flag);
  }
}

EnergyOptions energy_options(const Arguments& arguments) {
  const EnergyEntry& energy = find_energy(arguments.energy);
  EnergyOptions options{.name = arguments.energy, .p = arguments.p};
  if (energy.name != kFlowEnergy) refuse_flow_flags(arguments, energy);
  if (!energy.takes_p && arguments.p != EnergyOptions().p)
    fail("--p {}: energy {} has no p; p-laplacian and game-p-laplacian have", arguments.p, energy.name);
  if (arguments.flow.options.solve.tolerance != SolveOptions().tolerance)
    options.tolerance = arguments.flow.options.solve.tolerance;
  return options;
}

// What is asked for beside what every flow takes.
void take_wishes(const Arguments& arguments, FlowTask& task) {
  task.options.time = parse_time(arguments.time);
  task.energy = energy_options(arguments);
  task.chooses_time = is_chosen(arguments.time);
  task.masses_allowed = arguments.class_prior != "none";
  if (!is_chosen(arguments.class_prior)) {
    ClassPrior prior = read_class_prior(arguments.class_prior, task.known, task.dataset);
    task.class_prior = std::move(prior.shares);
    task.volumes = std::move(prior.volumes);
  }
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
    take_wishes(arguments, parted.task);
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
    refuse_class_flags({{"--energy", arguments.energy != kFlowEnergy},
                        {"--class-prior", !is_chosen(arguments.class_prior)},
                        {"--output", !arguments.output.empty()}});
    TargetFlowTask task = arguments.flow.open_targets(std::move(dataset));
    task.options.time = parse_time(arguments.time);
    return solve_targets(task, {.predictions = arguments.predictions}, console);
  }
  FlowTask task = arguments.flow.open(std::move(dataset));
  take_wishes(arguments, task);
  console.remark(
      memory_remarks(task, estimate_memory(task.problem(), task.options), "the classes are solved in turns"));
  write_and_tell(arguments, task, solve(task, console.threads()), console);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->flow.add_to(flags, "more classes than fit are solved in turns");
  flags.option("--time", arguments->time,
               "How long heat flows, and so how far labels reach; inf: until nothing changes any more; auto: "
               "chosen by how many labels are known, and by some of them left out",
               "T|inf|auto");
  flags.option("--solver", arguments->flow.options.solver, described(solvers()), "NAME");
  flags.option("--step", arguments->flow.options.solve.step,
               "Step size of the solvers with fixed steps; 0: chosen automatically", "X");
  flags.option(
      "--class-prior", arguments->class_prior,
      "Give every class its share of the heat (class-mass normalisation): none, labelled (shares "
      "of the known labels), a CSV file of class,share, or auto: labelled where --time auto finds "
      "that better, else none. A CSV file of class,size or class,least,most keeps the classes within "
      "these numbers of nodes",
      "WHICH");
  flags.option("--energy", arguments->energy, "What carries the labels. " + described(energies()), "NAME");
  flags.option("--p", arguments->p,
               "Exponent of the energies p-laplacian (from 1) and game-p-laplacian (from 2, or inf)", "P");
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
