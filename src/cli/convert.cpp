// SPDX-License-Identifier: MIT
// heatfront convert IN OUT: writes any data set as npz or as CSV files.
#include <fmt/core.h>

#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace convert_command {

struct Arguments {
  DataArgument data;
  std::filesystem::path output;
};

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags, "IN");
  flags.output_argument(
      "OUT", arguments->output,
      "FILE.npz, which numpy reads, or a new folder (a name without an ending) for CSV files");
  return [arguments, &console] {
    const bool npz = is_npz_name(arguments->output);
    if (npz) check_outputs({{arguments->output, kDataFile}}, files_of_dataset(arguments->data.data));
    const Dataset dataset = arguments->data.open(console);
    write_dataset(dataset, arguments->output);
    console.result({{"dataset", dataset.name},
                    {"output", arguments->output.string()},
                    {"format", npz ? "npz" : "csv"},
                    {"fingerprint", fingerprint(dataset).whole()}},
                   fmt::format("{}: written to {} as {}", printable(dataset.name),
                               path_text(arguments->output), npz ? "npz" : "CSV files"));
  };
}

}  // namespace convert_command

const Command kConvertCommand{"convert", "Writes any data set as npz or as CSV files",
                              "heatfront convert karate karate.npz", convert_command::define};

}  // namespace heatfront::cli
