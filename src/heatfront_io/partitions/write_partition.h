// SPDX-License-Identifier: MIT
// A graph, in memory or in a file → its partitioned folder, part by part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/data/dataset.h"
#include "heatfront/graph/partition.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/partitions/partition_index.h"

namespace heatfront {

// A way to choose parts, by name.
struct PartitionMethod {
  std::string_view name, what;
};
std::span<const PartitionMethod> partition_methods();  // stream, block, file

struct PartitionOptions {
  int parts = 1;
  std::string method = "stream";
  std::filesystem::path file;  // of the method `file`: an npy or a text with the part of each node, a line for each
  std::int64_t memory_limit = std::int64_t{1} << 30;  // bytes for arcs held at once, where they are not held as a whole
};

// Error unless these can be.
void check(const PartitionOptions& options);

// `of_nodes`: labels, names and split; its graph is not looked at.
PartitionIndex write_partition(const GraphRows& graph, const Dataset& of_nodes, const PartitionOptions& options,
                               const std::filesystem::path& folder, const ProgressCallback& progress);

// The same of a name or path, as open_dataset() takes it. Generated R-MAT graphs are never held in memory: their edges go twice
// through it, to be counted and to be put on disk in ranges of rows that fit memory_limit.
PartitionIndex partition_dataset(const std::string& data, Dataset opened, const PartitionOptions& options,
                                 const std::filesystem::path& folder, const ProgressCallback& progress);

// Whether such data is partitioned without being opened as a whole; then there is nothing to open.
bool is_streamed(const std::string& data);
PartitionIndex partition_streamed(const std::string& data, const PartitionOptions& options,
                                  const std::filesystem::path& folder, Threads& threads,
                                  const ProgressCallback& progress);

}  // namespace heatfront
