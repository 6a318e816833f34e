// SPDX-License-Identifier: MIT
// heatfront split DATA: splits the labelled nodes.
#include <fmt/core.h>

#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront/base/fail.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace split_command {

struct Arguments {
  DataArgument data;
  SplitArgument split;
  std::filesystem::path output;
};

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->data.add_to(flags);
  arguments->split.add_to(flags);
  flags.output("-o,--output", arguments->output, "Write train_idx, val_idx and test_idx to this npz",
               "FILE.npz");
  return [arguments, &console] {
    check_outputs({{arguments->output, kSplitFile}}, {arguments->split.split});
    const Dataset dataset = arguments->data.open(console);
    const Split split = arguments->split.choose(dataset);
    if (split.train.empty() && split.validation.empty() && split.test.empty())
      fail("{} has no labels to split; add labels", dataset.name);
    if (!arguments->output.empty()) write_split_npz(split, dataset, arguments->output);
    Json object = {{"dataset", dataset.name}, {"split", json_of(split)}};
    if (!arguments->output.empty()) object["output"] = arguments->output.string();
    console.result(object, fmt::format("{}, {}\n{}", printable(dataset.name), text_of(split),
                                       arguments->output.empty()
                                           ? "not written: -o FILE.npz keeps it, for --split FILE.npz"
                                           : "written to " + path_text(arguments->output)));
  };
}

}  // namespace split_command

const Command kSplitCommand{"split", "Splits the labelled nodes into train, validation and test",
                            "heatfront split digits --split \"percent 40,40\" --seed 0 -o digits_split.npz",
                            split_command::define};

}  // namespace heatfront::cli
