// SPDX-License-Identifier: MIT
// heatfront sweep DATA: accuracy over the time that heat flows.
#include "heatfront_experiment/sweep.h"

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/ranks.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/partitions/read_partition.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace sweep_command {

struct Arguments {
  FlowArguments flow;
  std::string times = "0.1:100:log40";
  std::filesystem::path plot, output;
  bool draw = false;
};

void write_and_tell(const Arguments& arguments, const FlowTask& task, const Sweep& sweep, Console& console) {
  if (!arguments.plot.empty()) write_file(arguments.plot, svg_of(chart_of(sweep, task.dataset.name)));
  if (!arguments.output.empty()) write_file(arguments.output, csv_of(sweep));

  Json object = json_of(task, sweep);
  object["output"] = json_path(arguments.output);
  object["plot"] = json_path(arguments.plot);
  console.result(object, arguments.draw ? drawn(task, sweep) : text_of(task, sweep));
}

// A graph in parts, as `solve` takes it.
void run_on_ranks(const Arguments& arguments, std::span<const double> times, Console& console) {
  const Cluster& cluster = *console.cluster;
  PartedTask parted;
  agreed(cluster.ranks(), [&] { parted = arguments.flow.open_parts(console); });
  const RankGraph graph = read_rank_graph(arguments.flow.data.data, parted.index, cluster, console.threads());
  const Sweep sweep =
      sweep_on_ranks(parted.task, graph, times, cluster, console.threads(), console.progress());
  agreed(cluster.ranks(), [&] {
    if (cluster.ranks().rank() == 0) write_and_tell(arguments, parted.task, sweep, console);
  });
}

void run(const Arguments& arguments, Console& console) {
  check_outputs({{arguments.plot, kPlot}, {arguments.output, kCurveTable}});
  const std::vector<double> times = parse_times(arguments.times);
  if (is_partition(arguments.flow.data.data)) return run_on_ranks(arguments, times, console);
  Dataset dataset = arguments.flow.data.open(console);
  if (dataset.targets.present())
    return sweep_targets(arguments.flow.open_targets(std::move(dataset)), arguments.times,
                         {.output = arguments.output, .plot = arguments.plot, .draw = arguments.draw},
                         console);
  const FlowTask task = arguments.flow.open(std::move(dataset));
  console.remark(memory_remarks(task, estimate_curve_memory(task.problem(), task.options, std::ssize(times)),
                                "fewer times are held at once"));
  write_and_tell(arguments, task, sweep_times(task, times, console.threads(), console.progress()), console);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->flow.judges = true;
  arguments->flow.add_to(flags, "if not all times fit at once, they are computed in groups");
  flags.option("--time", arguments->times, "FROM:TO:logN, FROM:TO:linN, or times one by one: 1,5,20",
               "TIMES");
  flags.flag("--draw", arguments->draw, "Draw the curve in the terminal instead of the table");
  flags.output("--plot", arguments->plot, "Draw the curves to this file", "FILE.svg");
  flags.output("-o,--output", arguments->output, "Write the table to this file", "FILE.csv");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace sweep_command

const Command kSweepCommand{
    "sweep", "Shows accuracy against the time that heat flows, and picks the best time on validation nodes",
    "heatfront sweep karate --split \"per-class 2,3\" --time 0.1:100:log40 --draw", sweep_command::define};

}  // namespace heatfront::cli
