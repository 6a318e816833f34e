// SPDX-License-Identifier: MIT
// A list of edges that does not fit into memory → rows of an undirected graph in files, as build_graph() would make them. The list is
// gone through twice: once to count the arcs of every node, once to put them into files, each for a range of nodes whose arcs fit. Then range
// by range is sorted and written behind the one before.
//
// In memory: 12 bytes per node, and the limit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/partition.h"
#include "heatfront_io/formats/generated.h"
#include "heatfront_io/partitions/mapped_array.h"

namespace heatfront {

class RowsOnDisk {
 public:
  // Files are made in this folder, which must be there and empty.
  RowsOnDisk(const EdgeStream& edges, const std::filesystem::path& folder, std::int64_t memory_limit,
             Threads& threads, const ProgressCallback& progress);

  GraphRows rows() const;
  const BuildReport& changes() const { return changes_; }  // as build_graph() has it

 private:
  BuildReport changes_;
  std::vector<ArcId> offsets_ = {0};
  std::unique_ptr<MappedFile> targets_, weights_;  // weights: none where all are 1
};

}  // namespace heatfront
