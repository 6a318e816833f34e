// SPDX-License-Identifier: MIT
// heatfront datasets: lists those that are known by name.
#include "cli/command.h"
#include "heatfront_report/catalogue_report.h"

namespace heatfront::cli {
namespace datasets_command {

std::function<void()> define(Flags&, Console& console) {
  return [&console] {
    const DatasetList list = list_datasets();
    console.result(json_of(list), text_of(list));
  };
}

}  // namespace datasets_command

const Command kDatasetsCommand{"datasets", "Lists the data sets that are known by name", "heatfront datasets",
                               datasets_command::define};

}  // namespace heatfront::cli
