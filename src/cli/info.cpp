// SPDX-License-Identifier: MIT
// heatfront info DATA: describes a data set.
#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront_report/dataset_report.h"

namespace heatfront::cli {
namespace info_command {

std::function<void()> define(Flags& flags, Console& console) {
  auto argument = std::make_shared<DataArgument>();
  argument->add_to(flags);
  return [argument, &console] {
    const Dataset dataset = argument->read(console);  // notes are part of the answer
    const Description about = describe(dataset);
    console.result(json_of(dataset, about), text_of(dataset, about));
  };
}

}  // namespace info_command

const Command kInfoCommand{"info", "Describes a data set", "heatfront info digits", info_command::define};

}  // namespace heatfront::cli
