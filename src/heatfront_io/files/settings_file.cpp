// SPDX-License-Identifier: MIT
#include "heatfront_io/files/settings_file.h"

#include "heatfront/base/fail.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;

}  // namespace

std::string read_settings_file(const std::filesystem::path& path) {
  std::string text = first_bytes(path, kLargestFile + 1);
  if (text.size() > kLargestFile)
    fail("{}: more than {} bytes are too many for settings", path.string(), kLargestFile);
  return text;
}

PresetChoice open_preset(const std::string& name, std::string_view model) {
  const bool is_file =
      !name.empty() && name != "none" && !is_preset(name, model) && std::filesystem::exists(name);
  if (!is_file) return {name};
  return {name, read_settings_file(name)};
}

}  // namespace heatfront
