// SPDX-License-Identifier: MIT
#include "heatfront/train/model_settings.h"

#include <fmt/core.h>

namespace heatfront {

TrainOptions train_defaults(const ModelEntry& model) {
  TrainOptions training;
  set_options(fields(training), model.defaults, "the defaults of " + std::string(model.name));
  return training;
}

ModelSettings::ModelSettings(std::string_view name)
    : entry(find_model(name)),
      training(train_defaults(entry)),
      model(entry.options()),
      fields(joined(heatfront::fields(training), model->fields())) {}

std::string describe_settings(std::string_view model) {
  std::string text;
  const ModelSettings settings(model);
  for (const OptionField& field : settings.fields)
    text += fmt::format("  {:{}} {}\n", field.name, kSettingColumn - 3, help_of(field));
  return text;
}

}  // namespace heatfront
