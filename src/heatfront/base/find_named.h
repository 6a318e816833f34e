// SPDX-License-Identifier: MIT
// An entry of a table by its name. For source files only, as fail() is.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/text.h"

namespace heatfront {

// An unknown name is an Error that names the nearest and lists all; `family` is what an entry is called there.
template <class Entry>
const Entry& find_named(std::span<const Entry> table, std::string_view name, std::string_view family) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  if (found != table.end()) return *found;
  std::vector<std::string_view> names;
  for (const Entry& entry : table) names.push_back(entry.name);
  fail("unknown {} '{}'{}; choose from: {}", family, name, did_you_mean(name, names), join(names, ", "));
}

}  // namespace heatfront
