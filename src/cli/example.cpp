// SPDX-License-Identifier: MIT
// heatfront example NAME: writes tables as people export them.
#include "heatfront_io/formats/example_tables.h"

#include <fmt/core.h>

#include "cli/arguments.h"
#include "cli/command.h"

namespace heatfront::cli {
namespace example_command {

struct Arguments {
  std::string name;
  std::filesystem::path output;
  std::uint64_t seed = 0;
};

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  flags.argument("NAME", arguments->name, described(example_tables()));
  flags.option("-o,--output", arguments->output, "A new folder for the tables; default: NAME", "FOLDER");
  flags.option("--seed", arguments->seed, "A different seed makes different tables", "N");
  return [arguments, &console] {
    const std::filesystem::path folder =
        arguments->output.empty() ? std::filesystem::path(arguments->name) : arguments->output;
    const std::vector<std::string> files = write_example(arguments->name, arguments->seed, folder);
    const ExampleTables& example = find_example(arguments->name);
    const std::string kind = example.labels == LabelKind::values ? " --values"
                             : example.labels == LabelKind::many ? " --many-labels"
                                                                 : "";
    const std::string command =
        fmt::format("heatfront train {}{} -o {}.hf",
                    path_text(example.data.empty() ? folder : folder / example.data), kind, example.name);
    console.result(
        {{"example", arguments->name}, {"output", folder.string()}, {"files", files}, {"try", command}},
        fmt::format("{}: written to {}: {}\n  try        {}", arguments->name, path_text(folder),
                    join(files, ", "), command));
  };
}

}  // namespace example_command

const Command kExampleCommand{"example", "Writes tables as people export them, to try things out on",
                              "heatfront example fraud -o fraud; heatfront info fraud",
                              example_command::define};

}  // namespace heatfront::cli
