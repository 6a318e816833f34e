// SPDX-License-Identifier: MIT
// heatfront models [NAME]: what can be trained, and the settings of one of them.
#include "heatfront/models/models.h"

#include "cli/command.h"
#include "heatfront_report/model_report.h"

namespace heatfront::cli {
namespace models_command {

std::function<void()> define(Flags& flags, Console& console) {
  auto name = std::make_shared<std::string>();
  flags.optional_argument("NAME", *name, "Show the settings of this model");
  return [name, &console] {
    if (name->empty()) return console.result(json_of(models()), text_of(models()));
    const ModelEntry& entry = find_model(*name);
    console.result(json_of(entry), text_of(entry));
  };
}

}  // namespace models_command

const Command kModelsCommand{"models", "Lists the models that can be trained, and the settings of one",
                             "heatfront models gcn", models_command::define};

}  // namespace heatfront::cli
