// SPDX-License-Identifier: MIT
// What a partition came to, and what it makes a product cost.
#pragma once

#include <filesystem>
#include <string>

#include "heatfront/graph/partition.h"
#include "heatfront_io/partitions/partition_index.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const PartitionIndex& index, std::int64_t classes, const Network& network);
std::string text_of(const PartitionIndex& index, std::int64_t classes, const Network& network);

}  // namespace heatfront
