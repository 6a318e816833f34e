// SPDX-License-Identifier: MIT
#include "heatfront/train/presets.h"

#include <algorithm>
#include <array>

#include "heatfront/base/fail.h"

namespace heatfront::embedded {

std::span<const Preset> presets();  // in a source that the build makes of presets/

}  // namespace heatfront::embedded

namespace heatfront {
namespace {

// Data sets that go by another name in the wild.
struct Alias {
  std::string_view name, preset;
};
constexpr std::array<Alias, 2> kAliases = {
    {{"amazon_photo", "photo"}, {"lastfm_asia_nofeat", "lastfm_asia"}}};

}  // namespace

std::span<const Preset> presets() { return embedded::presets(); }

std::string_view preset_for(std::string_view dataset) {
  const auto alias = std::ranges::find(kAliases, dataset, &Alias::name);
  return alias == kAliases.end() ? dataset : alias->preset;
}

std::string special_preset(std::string_view model, std::string_view dataset, std::string_view ending) {
  const std::string name = std::string(preset_for(dataset)).append(ending);
  const bool there =
      std::ranges::any_of(presets(), [&](const Preset& p) { return p.model == model && p.name == name; });
  return there ? name : "";
}

bool is_preset(std::string_view name, std::string_view model) {
  return std::ranges::any_of(presets(),
                             [&](const Preset& p) { return p.model == model && p.name == preset_for(name); });
}

std::string model_with_preset(std::string_view name, std::string_view usual) {
  if (is_preset(name, usual)) return std::string(usual);
  const auto found = std::ranges::find(presets(), preset_for(name), &Preset::name);
  return std::string(found == presets().end() ? usual : found->model);
}

std::string apply_preset(const PresetChoice& choice, std::string_view model, std::string_view dataset,
                         const OptionFields& fields) {
  const std::string& preset = choice.name;
  if (preset == "none") return preset;
  if (choice.text) {
    set_options(fields, *choice.text, preset);
    return preset;
  }
  const std::string_view wanted = preset_for(preset.empty() ? dataset : preset);
  std::string names;
  for (const Preset& entry : presets()) {
    if (entry.model != model) continue;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
    if (entry.name != wanted) continue;
    set_options(fields, entry.text, fmt::format("preset {}", entry.name));
    return std::string(entry.name);
  }
  if (preset.empty()) return "none";
  if (names.empty())
    fail("preset '{}': no such file, and {} has no presets; without --preset it takes its defaults", preset,
         model);
  fail("preset '{}': no such file, and no such preset for {}; choose from: {}, none", preset, model, names);
}

}  // namespace heatfront
