// SPDX-License-Identifier: MIT
// heatfront partition DATA: a graph in parts, for machines that cannot hold it, or for many.
#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront/base/fail.h"
#include "heatfront_io/partitions/write_partition.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/partition_report.h"

namespace heatfront::cli {
namespace partition_command {

struct Arguments {
  DataArgument data;
  PartitionOptions options;
  std::filesystem::path output;
  std::int64_t memory_megabytes = 1024, classes = 8;
  double bandwidth = 10, latency = 50;  // Gbit/s, µs
};

void run(const Arguments& arguments, Console& console) {
  constexpr std::int64_t kMostMegabytesOfArcs = std::int64_t{1} << 30;
  if (arguments.output.empty()) fail("partition writes a folder; say which: -o NAME.hfp");
  if (arguments.memory_megabytes < 1 || arguments.memory_megabytes > kMostMegabytesOfArcs)
    fail("--memory {}: it must be a number of megabytes from 1 to {}", arguments.memory_megabytes,
         kMostMegabytesOfArcs);
  if (!(arguments.bandwidth > 0 && arguments.latency >= 0) || arguments.classes < 1)
    fail(
        "--bandwidth {}, --latency {}, --forecast {}: the first must be above 0, the second 0 or more, the "
        "third 1 or more",
        arguments.bandwidth, arguments.latency, arguments.classes);
  PartitionOptions options = arguments.options;
  options.memory_limit = arguments.memory_megabytes << 20;
  options.scotch = console.scotch;
  const Network network{.latency = arguments.latency * 1e-6, .bandwidth = arguments.bandwidth * 1e9 / 8};
  const auto [index, data] = partition_data(arguments.data.data, arguments.data.reading(console), options,
                                            arguments.output, console.threads(), console.progress());
  console.remark(remarks_on(data));
  Json object = json_of(index, arguments.classes, network);
  object["output"] = json_path(arguments.output);
  console.result(
      object, text_of(index, arguments.classes, network) + "\n  written    " + path_text(arguments.output));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  flags.option("--parts", arguments->options.parts,
               "Parts; as many processes can share the work, and one takes them from disk one after another",
               "N");
  flags.option("--method", arguments->options.method, described(partition_methods()), "NAME");
  flags.option("--assignment", arguments->options.file,
               "Of the method file: the part of each node, from 0; an npy, or a text with a line for each",
               "FILE");
  flags.option("--memory", arguments->memory_megabytes,
               "Megabytes for arcs that are sorted at once; those of Planetoid files and pickled matrices "
               "are read as a whole all the same",
               "MB");
  flags.option("--forecast", arguments->classes, "Number of classes to forecast the cost of a product for",
               "N");
  flags.option("--bandwidth", arguments->bandwidth, "Bandwidth of the network to forecast for, in Gbit/s",
               "X");
  flags.option("--latency", arguments->latency, "Latency of a message on that network, in microseconds", "X");
  flags.output("-o,--output", arguments->output, "The folder to be written", "NAME.hfp");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace partition_command

const Command kPartitionCommand{
    "partition", "Writes a graph in parts, which `solve` and `sweep` read on one machine or many",
    "heatfront partition karate --parts 4 -o karate.hfp", partition_command::define};

}  // namespace heatfront::cli
