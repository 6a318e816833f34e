// SPDX-License-Identifier: MIT
// How many edges each node is away from the nearest of some nodes.
#pragma once

#include <span>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

inline constexpr NodeId kNoPath = -1;

// 0 at the sources themselves, kNoPath where no edges lead to one.
std::vector<NodeId> distances_to(const Graph& graph, std::span<const NodeId> sources);

}  // namespace heatfront
