// SPDX-License-Identifier: MIT
// A number of nodes that a file only declares, held against the arcs it has: a few bytes must not claim
// gigabytes.
#pragma once

#include <cstdint>
#include <string>

#include "heatfront/base/types.h"

namespace heatfront {

// Throws Error (beginning with `place`) when there are too many, or far more than `arcs` can join.
NodeId checked_node_count(std::int64_t declared, std::int64_t arcs, const std::string& place);

}  // namespace heatfront
