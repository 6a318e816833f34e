// SPDX-License-Identifier: MIT
// Scotch (Pellegrini): parts with few arcs between them, by recursive bisection of coarser and coarser graphs. It takes longer than
// streaming, and the whole graph in memory; of graphs with communities it leaves far fewer ghosts.
#pragma once

#include <cstdint>
#include <vector>

#include "heatfront/graph/partition.h"

namespace heatfront {

// The part of every node, of equal work as block_parts() counts it; the same for any machine and number of cores. Beside the graph it takes
// some 30 bytes per arc while it works. Error beyond 2³¹ − 1 arcs: it counts in 32 bits.
std::vector<std::int32_t> scotch_parts(const GraphRows& graph, int parts);

}  // namespace heatfront
