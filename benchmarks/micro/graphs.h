// SPDX-License-Identifier: MIT
// The graphs that products are measured on.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/graph/build.h"

namespace heatfront::micro {

struct GraphEntry {
  std::string_view name;
  std::string_view what;
  bool large;  // takes minutes and gigabytes: measured only when asked for by name
  std::optional<WeightedGraph> (*make)(Threads& threads);  // none: its data is not at hand
};

std::span<const GraphEntry> graphs();

}  // namespace heatfront::micro
