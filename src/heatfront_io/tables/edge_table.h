// SPDX-License-Identifier: MIT
// source,target[,weight]: a table with a row an edge. A row without a target declares a node that may stay
// alone.
#pragma once

#include <string>
#include <vector>

#include "heatfront/graph/build.h"
#include "heatfront_io/tables/csv_table.h"
#include "heatfront_io/tables/id_table.h"

namespace heatfront {

// Numbers the nodes in `nodes`; arcs.nodes is left for the caller, who may know more of them.
ArcList read_edge_table(const CsvTable& table, IdTable& nodes, std::vector<std::string>& notes);

}  // namespace heatfront
