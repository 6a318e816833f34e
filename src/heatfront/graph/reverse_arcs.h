// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "heatfront/graph/graph.h"

namespace heatfront {

// reverse[a] is the arc (v, u) where a is (u, v).
std::vector<ArcId> reverse_arcs(const Graph& graph);

}  // namespace heatfront
