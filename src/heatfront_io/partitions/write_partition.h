// SPDX-License-Identifier: MIT
// A graph → its partitioned folder. It appears whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/partitions/partition_index.h"

namespace heatfront {

struct PartitionMethod {
  std::string_view name, what;
};
std::span<const PartitionMethod> partition_methods();

inline constexpr std::string_view kScotch = "scotch";

struct PartitionOptions {
  int parts = 1;
  std::string method = "stream";
  std::filesystem::path file;  // of the method `file`: the part of each node, an npy or a line for each
  std::int64_t memory_limit = std::int64_t{1}
                              << 30;  // bytes of arcs sorted at once, where edges are streamed
  std::vector<std::int32_t> (*scotch)(const GraphRows& graph, int parts) = nullptr;  // where it is at hand
};

// With all that the data set has.
PartitionIndex write_partition(const Dataset& dataset, const PartitionOptions& options,
                               const std::filesystem::path& folder, const ProgressCallback& progress);

// The same of whatever open_dataset() knows. The arcs of CSV, Matrix Market, OGB, MUSAE and npz files and those of generated grids and
// R-MAT graphs are never held in memory; those of other data are.
struct WrittenPartition {
  PartitionIndex index;
  Dataset data;  // its notes, and what was changed in its graph; with arcs only where they were held
};
WrittenPartition partition_data(const std::string& data, const ReadOptions& reading,
                                const PartitionOptions& options, const std::filesystem::path& folder,
                                Threads& threads, const ProgressCallback& progress);

}  // namespace heatfront
