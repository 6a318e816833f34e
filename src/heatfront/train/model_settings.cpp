// SPDX-License-Identifier: MIT
#include "heatfront/train/model_settings.h"

#include <fmt/core.h>

namespace heatfront {

ModelSettings::ModelSettings(std::string_view name)
    : entry(find_model(name)),
      model(entry.options()),
      fields(joined(heatfront::fields(training), model->fields())) {
  set_options(fields, entry.defaults, "the defaults of " + std::string(name));
}

std::string describe_settings(std::string_view model) {
  std::string text;
  const ModelSettings settings(model);
  for (const OptionField& field : settings.fields)
    text += fmt::format("  {:{}} {} [{}]\n", field.name, kSettingColumn - 3, field.what, text_of(field));
  return text;
}

}  // namespace heatfront
