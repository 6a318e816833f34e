// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output_kind.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/graph/components.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_neighbours/kernel.h"
#include "heatfront_neighbours/knn.h"

namespace heatfront::cli {
namespace graph_command {

struct Arguments {
  DataArgument data;
  KnnOptions knn;
  std::string metric = "euclidean";
  std::string kernel = "rbf";
  std::string sigma = "auto";
  std::string joining = "union";
  bool without_features = false;
  std::filesystem::path output;
};

template <class Entries>
std::string names_of(const Entries& entries) {
  std::string names;
  for (const auto& entry : entries)
    names += fmt::format("{}{}: {}", names.empty() ? "" : "; ", entry.name, entry.what);
  return names;
}

KernelOptions kernel_options(const Arguments& arguments) {
  KernelOptions options{.kernel = find_kernel(arguments.kernel).kernel,
                        .joining = find_joining(arguments.joining).joining};
  if (arguments.sigma == "auto") return options;
  const std::optional<double> sigma = parse_number(arguments.sigma);
  if (!sigma || !(*sigma > 0)) {
    fail("--sigma {}: it must be 'auto' or a number above 0", arguments.sigma);
  }
  options.sigma = sigma;
  return options;
}

KnnOptions knn_options(const Arguments& arguments, const KernelOptions& kernel) {
  KnnOptions options = arguments.knn;
  if (arguments.metric != "euclidean" && arguments.metric != "cosine") {
    fail("unknown metric '{}'; there are: euclidean, cosine", arguments.metric);
  }
  options.metric = arguments.metric == "cosine" ? Metric::cosine : Metric::euclidean;
  for (const KernelEntry& entry : kernels()) {
    if (entry.kernel == kernel.kernel && entry.metric) options.metric = *entry.metric;
  }
  return options;
}

Neighbours find_neighbours(const Dataset& points, const KnnOptions& options, Console& console) {
  if (!points.features.present()) {
    fail("{}: has no features, so no neighbours can be found; points with features are needed", points.name);
  }
  const Features& features = points.features;
  return features.dense()
             ? nearest_neighbours(*features.dense(), options, console.threads(), console.progress())
             : nearest_neighbours(*features.sparse(), options, console.threads(), console.progress());
}

void run(const Arguments& arguments, Console& console) {
  check_outputs({{arguments.output, kDataFile}}, files_of_dataset(arguments.data.data));
  const KernelOptions kernel = kernel_options(arguments);
  const KnnOptions knn = knn_options(arguments, kernel);
  Dataset dataset = arguments.data.open(console);
  const Stopwatch watch;
  const Neighbours neighbours = find_neighbours(dataset, knn, console);
  const double seconds = watch.seconds();
  NeighbourGraph built = neighbour_graph(neighbours, kernel, console.threads());
  dataset.graph = std::move(built.graph);
  dataset.weights = std::move(built.weights);
  const Components components = connected_components(dataset.graph);
  if (arguments.without_features) dataset.features = Features();
  if (!arguments.output.empty()) write_npz(dataset, arguments.output);

  Json object = {{"dataset", dataset.name},
                 {"points", dataset.nodes()},
                 {"k", knn.k},
                 {"metric", knn.metric == Metric::cosine ? "cosine" : "euclidean"},
                 {"kernel", arguments.kernel},
                 {"sigma", built.sigma ? Json(*built.sigma) : Json()},
                 {"joined", arguments.joining},
                 {"exact", !knn.approximate},
                 {"recall", neighbours.recall},
                 {"edges", dataset.graph.edges()},
                 {"components", components.count()},
                 {"lifted", built.lifted},
                 {"seconds", seconds}};
  std::string text =
      fmt::format("{}: {} points joined to their {} nearest by {} in {} ({}", printable(dataset.name),
                  grouped(dataset.nodes()), knn.k, counted(dataset.graph.edges(), "edge"),
                  counted(components.count(), "component"), arguments.kernel);
  if (built.sigma) text += fmt::format(", sigma {:.6g}", *built.sigma);
  text += knn.approximate ? fmt::format(", approximate, recall {:.4f})", neighbours.recall)
                          : std::string(", exact)");
  if (built.lifted > 0)
    text += fmt::format("\n{} so long that {} weight was raised to the least there is",
                        counted(built.lifted, "edge", built.lifted == 1 ? " was" : " were"),
                        built.lifted == 1 ? "its" : "their");
  if (!arguments.output.empty()) {
    object["output"] = arguments.output.string();
    text += "\nwritten to " + path_text(arguments.output);
  } else {
    text += "\nnot written: -o FILE.npz keeps the graph";
  }
  console.result(object, text);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags, "POINTS");
  flags.option("-k", arguments->knn.k, "Neighbours of each point", "N");
  flags.option("--kernel", arguments->kernel, names_of(kernels()), "KERNEL");
  flags.option("--sigma", arguments->sigma,
               "Width of the rbf kernel; auto: the mean distance to the k-th neighbour", "auto|X");
  flags.option("--metric", arguments->metric, "euclidean or cosine; the cosine kernel takes cosine",
               "METRIC");
  flags.option("--join", arguments->joining, names_of(joinings()), "HOW");
  flags.flag("--approximate", arguments->knn.approximate,
             "Faster for many points; reports the recall measured on a sample");
  flags.option("--seed", arguments->knn.seed, "Seed of the approximate search", "N");
  flags.flag("--without-features", arguments->without_features,
             "Leave the points themselves out of the output");
  flags.option("-o,--output", arguments->output, "Write the graph with features and labels to this npz",
               "FILE.npz");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace graph_command

const Command kGraphCommand{"graph", "Joins points to their nearest neighbours",
                            "heatfront graph digits -k 10 --kernel rbf --sigma auto -o digits_graph.npz",
                            graph_command::define};

}  // namespace heatfront::cli
