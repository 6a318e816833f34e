// SPDX-License-Identifier: MIT
// A partitioned folder as one of several ranks reads it. Each rank has a stretch of the parts; alone it has all of them, where they lie.
#pragma once

#include <filesystem>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/graph/rank_graph.h"
#include "heatfront_io/partitions/partition_index.h"

namespace heatfront {

// What is said of nodes: labels, names and split, in the user's numbering; its graph has no edges.
Dataset read_partition_nodes(const std::filesystem::path& folder, const PartitionIndex& index,
                             Threads& threads);

// Collective. Every file that this rank reads is held against its digest, and every number of it against its range: Error that names the file.
RankGraph read_rank_graph(const std::filesystem::path& folder, const PartitionIndex& index,
                          const Cluster& cluster, Threads& threads);

// Features of the rows of that graph, in its order. Collective, likewise checked.
Features read_rank_features(const std::filesystem::path& folder, const PartitionIndex& index,
                            const RankGraph& graph, const Cluster& cluster);

// All parts together again, as they were before.
Dataset read_partition(const std::filesystem::path& folder, Threads& threads);

}  // namespace heatfront
