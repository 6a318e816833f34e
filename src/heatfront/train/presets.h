// SPDX-License-Identifier: MIT
// Hyperparameters as data: the files of presets/, compiled in, and files of one's own in the same form.
#pragma once

#include <filesystem>
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

// The text of a file of settings or ranges, which is never large.
std::string read_settings_file(const std::filesystem::path& path);

// Sets what the preset says. `preset` is a name, a path, "none", or empty: the one named like the data set, if there
// is one. Returns the name of what was used, "none" for nothing.
std::string apply_preset(const std::string& preset, std::string_view model, std::string_view dataset,
                         const OptionFields& fields);

}  // namespace heatfront
