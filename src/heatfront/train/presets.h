// SPDX-License-Identifier: MIT
// Hyperparameters as data: the files of presets/, compiled in, and files of one's own in the same form.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heatfront/base/options.h"

namespace heatfront {

struct Preset {
  std::string_view model;
  std::string_view name;  // of the data set
  std::string_view text;  // lines of "name = value"
};

std::span<const Preset> presets();

// The name of the presets for a data set, which may go by another.
std::string_view preset_for(std::string_view dataset);

// "photo_mixing" for ("cgnn", "amazon_photo", "_mixing"): settings of its own for a way to use a model; empty where there
// are none.
std::string special_preset(std::string_view model, std::string_view dataset, std::string_view ending);

bool is_preset(std::string_view name, std::string_view model);

// Whose preset this is; `usual` where that model has one of this name, or none has.
std::string model_with_preset(std::string_view name, std::string_view usual);

// A preset by name, "none", or empty: the one named like the data set, if there is one. Or settings of a user's own, as text
// ("name = value" by lines) under any name; heatfront_io reads such files.
struct PresetChoice {
  std::string name;
  std::optional<std::string> text = {};
};

// Sets what the preset says. Returns the name of what was used, "none" for nothing.
std::string apply_preset(const PresetChoice& preset, std::string_view model, std::string_view dataset,
                         const OptionFields& fields);

}  // namespace heatfront
