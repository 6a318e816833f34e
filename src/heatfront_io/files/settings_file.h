// SPDX-License-Identifier: MIT
// Files of settings: presets, and ranges to search.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "heatfront/train/presets.h"

namespace heatfront {

// The text of a file of settings or ranges, which is never large.
std::string read_settings_file(const std::filesystem::path& path);

// What a user means by --preset: one that comes with the program, or a file, which is read.
PresetChoice open_preset(const std::string& name, std::string_view model);

}  // namespace heatfront
