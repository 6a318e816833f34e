// SPDX-License-Identifier: MIT
// An entry of a table by its name. For source files only, as fail() is.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "heatfront/base/fail.h"

namespace heatfront {

// An unknown name is an Error that lists the right ones; `family` is what an entry is called there.
template <class Entry>
const Entry& find_named(std::span<const Entry> table, std::string_view name, std::string_view family) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  if (found != table.end()) return *found;
  std::string names;
  for (const Entry& entry : table) names.append(names.empty() ? "" : ", ").append(entry.name);
  fail("unknown {} '{}'; there are: {}", family, name, names);
}

}  // namespace heatfront
