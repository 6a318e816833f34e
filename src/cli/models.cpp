// SPDX-License-Identifier: MIT
// heatfront models [NAME]: what can be trained, and the settings of one of them.
#include "heatfront/models/models.h"

#include <fmt/core.h>

#include "cli/command.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"

namespace heatfront::cli {
namespace models_command {

std::string uses_text(const Uses& uses) {
  return std::string(uses.graph ? "graph, " : "") + (uses.features ? "features, " : "") + "labels";
}

std::string presets_text(std::string_view model) {
  std::string names;
  for (const Preset& preset : presets()) {
    if (preset.model == model) names.append(names.empty() ? "" : ", ").append(preset.name);
  }
  return names.empty() ? "none" : names;
}

Json entry_json(const ModelEntry& entry) {
  return {{"name", entry.name},
          {"what", entry.what},
          {"uses_graph", entry.uses.graph},
          {"uses_features", entry.uses.features},
          {"takes_new_labels", entry.takes_labels},
          {"presets", presets_text(entry.name)}};
}

void show_all(Console& console) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> rows = {{"model", "uses", "new labels", "what it is"}};
  for (const ModelEntry& entry : models()) {
    rows.push_back({std::string(entry.name), uses_text(entry.uses),
                    entry.takes_labels ? "at once" : "by training", std::string(entry.what)});
    list.push_back(entry_json(entry));
  }
  console.result(
      {{"models", list}},
      table(rows) +
          "\n\n`heatfront models NAME` lists the settings of one; `heatfront train DATA --model NAME` "
          "trains it.\nNew labels at once: `heatfront label` adds them to the trained model, and nothing is "
          "trained again.");
}

void show_one(const std::string& name, Console& console) {
  const ModelEntry& entry = find_model(name);
  Json object = entry_json(entry);
  object["settings"] = describe_settings(name);
  console.result(
      object,
      fmt::format("{}: {}\n  uses        {}\n  new labels  {}\n  presets     {}\n\nSettings [and their "
                  "defaults], for --set NAME=VALUE and preset files:\n{}",
                  entry.name, entry.what, uses_text(entry.uses),
                  entry.takes_labels ? "taken at once by `heatfront label`" : "need training again",
                  presets_text(entry.name), fitted(describe_settings(name), kSettingColumn)));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto name = std::make_shared<std::string>();
  flags.optional_argument("NAME", *name, "Show the settings of this model");
  return [name, &console] { name->empty() ? show_all(console) : show_one(*name, console); };
}

}  // namespace models_command

const Command kModelsCommand{"models", "Lists the models that can be trained, and the settings of one",
                             "heatfront models gcn", models_command::define};

}  // namespace heatfront::cli
