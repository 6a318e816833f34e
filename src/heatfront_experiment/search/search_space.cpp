// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search_space.h"

#include <algorithm>
#include <span>

#include "heatfront/base/fail.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"
#include "heatfront_io/files/settings_file.h"

namespace heatfront::embedded {

std::span<const Preset> search_spaces();  // in a source that the build makes of presets/

}  // namespace heatfront::embedded

namespace heatfront {
SearchSpace parse_space(std::string_view text, const std::string& where) {
  SearchSpace space;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '#') continue;
    space.push_back(parse_range(line, fmt::format("{}:{}", where, number)));
  }
  if (space.empty()) fail("{} has no line of the form name = log|uniform|integer|choice …", where);
  return space;
}

SearchSpace open_space(std::string_view model, const std::string& path) {
  find_model(model);
  if (!path.empty()) return parse_space(read_settings_file(path), path);
  for (const Preset& entry : embedded::search_spaces()) {
    if (entry.model == model) return parse_space(entry.text, fmt::format("presets/{}/search.space", model));
  }
  fail("no search space for {} comes with the program; give one with --space", model);
}

Settings preset_settings(std::string_view model, const std::string& preset) {
  if (preset.empty()) return {};
  const ModelSettings defaults(model), set(model);
  apply_preset(open_preset(preset, model), model, "", set.fields);
  Settings settings;
  for (std::size_t i = 0; i < set.fields.size(); ++i) {
    const std::string value = text_of(set.fields[i]);
    if (value != text_of(defaults.fields[i])) settings.push_back({std::string(set.fields[i].name), value});
  }
  return settings;
}

SearchSpace with_fixed(SearchSpace space, const Settings& settings, bool over) {
  for (const Setting& setting : settings) {
    const SearchRange fixed{.name = setting.name, .values = {setting.value}};
    const auto found = std::ranges::find(space, setting.name, &SearchRange::name);
    if (found == space.end()) {
      space.push_back(fixed);
    } else if (over) {
      *found = fixed;
    }
  }
  return space;
}

Setting parse_setting(const std::string& text) {
  const SearchRange range = parse_range(text, "--set " + text);
  if (range.kind != RangeKind::fixed) fail("--set {}: fixes a setting; a range belongs in --space", text);
  return {range.name, range.values[0]};
}

void check_space(const SearchSpace& space, std::string_view model) {
  const ModelSettings settings(model);
  for (auto range = space.begin(); range != space.end(); ++range) {
    const std::string where = fmt::format("search space, '{}'", text_of(*range));
    if (std::find_if(space.begin(), range, [&](const SearchRange& r) { return r.name == range->name; }) !=
        range)
      fail("{}: {} is given twice", where, range->name);
    if (range->values.empty()) {
      for (double end : {0.0, 0.999}) set_option(settings.fields, range->name, draw(*range, end), where);
    }
    for (const std::string& value : range->values) set_option(settings.fields, range->name, value, where);
  }
}

Settings draw(const SearchSpace& space, const Random& random) {
  Settings settings;
  for (std::size_t i = 0; i < space.size(); ++i)
    settings.push_back({space[i].name, draw(space[i], random.uniform(i))});
  return settings;
}

Settings draw_near(const SearchSpace& space, const Settings& centre, const Random& random) {
  Settings settings;
  for (std::size_t i = 0; i < space.size(); ++i)
    settings.push_back({space[i].name, draw_near(space[i], centre[i].value, random.uniform(i))});
  return settings;
}

}  // namespace heatfront
