// SPDX-License-Identifier: MIT
// Where a search looks: a range for each setting that it draws or fixes. Every model has one as data, the files
// presets/MODEL/search.space, compiled in; others come from files in the same form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/random.h"
#include "heatfront_experiment/search/search_range.h"

namespace heatfront {

struct Setting {
  std::string name, value;
  bool operator==(const Setting&) const = default;
};
using Settings = std::vector<Setting>;
using SearchSpace = std::vector<SearchRange>;

// A range a line; blank ones and those that begin with # say nothing.
SearchSpace parse_space(std::string_view text, const std::string& where);

// That of the model, or of a file where `path` is not empty.
SearchSpace open_space(std::string_view model, const std::string& path);

// What a preset (a name or a file; "none" or empty: nothing) sets otherwise than the model's defaults.
Settings preset_settings(std::string_view model, const std::string& preset);

// The space with these settings fixed, where they are no part of it or `over` it.
SearchSpace with_fixed(SearchSpace space, const Settings& settings, bool over);

// "name=value" of --set.
Setting parse_setting(const std::string& text);

// An Error unless every name is a setting of the model, once, and every value it may take can be read.
void check_space(const SearchSpace& space, std::string_view model);

// The settings at random, a function of the source alone, and those near some others.
Settings draw(const SearchSpace& space, const Random& random);
Settings draw_near(const SearchSpace& space, const Settings& centre, const Random& random);

}  // namespace heatfront
