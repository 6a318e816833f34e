// SPDX-License-Identifier: MIT
// heatfront graph POINTS: joins points to their nearest neighbours.
#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront/base/fail.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_neighbours/join_points.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace graph_command {

struct Arguments {
  DataArgument data;
  JoinOptions options;
  std::string metric = "euclidean";
  std::string kernel = "rbf";
  std::string sigma = "auto";
  std::string joining = "union";
  bool without_features = false;
  std::filesystem::path output;
};

JoinOptions options_of(const Arguments& arguments) {
  JoinOptions options = arguments.options;
  options.kernel = {.kernel = find_kernel(arguments.kernel).kernel,
                    .joining = find_joining(arguments.joining).joining};
  if (arguments.sigma != "auto") {
    options.kernel.sigma = parse_number(arguments.sigma);
    if (!options.kernel.sigma || !(*options.kernel.sigma > 0))
      fail("--sigma {}: it must be 'auto' or a number above 0", arguments.sigma);
  }
  options.knn.metric = find_metric(arguments.metric).metric;
  return options;
}

void run(const Arguments& arguments, Console& console) {
  check_outputs({{arguments.output, kDataFile}}, files_of_dataset(arguments.data.data));
  const JoinOptions options = options_of(arguments);
  Dataset dataset = arguments.data.open(console);
  const JoinedPoints joined = join_points(dataset, options, console.threads(), console.progress());
  dataset.graph = joined.built.graph;
  dataset.weights = joined.built.weights;
  if (arguments.without_features) remove_features(dataset);
  if (!arguments.output.empty()) write_npz(dataset, arguments.output);

  const NeighbourReport report = report_of(dataset, joined, options.kernel);
  Json object = json_of(report);
  if (!arguments.output.empty()) object["output"] = arguments.output.string();
  console.result(
      object, text_of(report) + (arguments.output.empty() ? "\nnot written: -o FILE.npz keeps the graph"
                                                          : "\nwritten to " + path_text(arguments.output)));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags, "POINTS");
  flags.option("-k", arguments->options.knn.k, "Neighbours of each point", "N");
  flags.option("--kernel", arguments->kernel, described(kernels()), "KERNEL");
  flags.option("--sigma", arguments->sigma,
               "Width of the rbf kernel; auto: the mean distance to the k-th neighbour", "auto|X");
  flags.option("--metric", arguments->metric, "euclidean or cosine; the cosine kernel takes cosine",
               "METRIC");
  flags.option("--join", arguments->joining, described(joinings()), "HOW");
  flags.flag("--approximate", arguments->options.knn.approximate,
             "Faster for many points; reports the recall measured on a sample");
  flags.option("--seed", arguments->options.knn.seed, "Seed of the approximate search", "N");
  flags.flag("--without-features", arguments->without_features,
             "Leave the points themselves out of the output");
  flags.output("-o,--output", arguments->output, "Write the graph with features and labels to this npz",
               "FILE.npz");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace graph_command

const Command kGraphCommand{"graph", "Joins points to their nearest neighbours",
                            "heatfront graph digits -k 10 --kernel rbf --sigma auto -o digits_graph.npz",
                            graph_command::define};

}  // namespace heatfront::cli
