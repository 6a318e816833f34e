// SPDX-License-Identifier: MIT
// All settings of a model, of the training and of the model itself, at the model's defaults.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "heatfront/base/options.h"
#include "heatfront/models/models.h"
#include "heatfront/train/trainer.h"

namespace heatfront {

// The defaults of training that a model comes with.
TrainOptions train_defaults(const ModelEntry& model);

struct ModelSettings {
  explicit ModelSettings(std::string_view name);
  ModelSettings(const ModelSettings&) = delete;  // the fields point into this one
  ModelSettings& operator=(const ModelSettings&) = delete;

  const ModelEntry& entry;
  TrainOptions training;
  std::unique_ptr<ModelOptions> model;
  OptionFields fields;
};

// A line each, with defaults and meanings; what a setting is stands from this column on.
inline constexpr std::size_t kSettingColumn = 25;
std::string describe_settings(std::string_view model);

}  // namespace heatfront
