// SPDX-License-Identifier: MIT
// papers.hfp/: a graph in parts, which one to many processes read.
//
//     index.json               what there is: sizes and a digest of every file
//     nodes.npz                what is said of nodes: labels, names, split; a data set without edges
//     part-0000/offsets.npy    <i8, rows + 1, from 0
//     part-0000/targets.npy    <i4, by row in the order of the whole graph: the neighbour's place less the part's first one
//     part-0000/weights.npy    <f4, where not all are 1
//     part-0000/node_ids.npy   <i4, ascending: the user's number of each row's node
//     part-0000/features.npy   <f4, row by row, where features are dense
//     part-0000/feature_offsets.npy, feature_columns.npy, feature_values.npy   <i8, <i4, <f4, where they are sparse
//
// Places count through the parts. The digest of the index itself, over all that it says, names the partition.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/sha256.h"
#include "heatfront/data/table_schema.h"
#include "heatfront/graph/partition.h"

namespace heatfront {

struct PartEntry {
  PartCount count;
  std::map<std::string, std::string> digests;  // by name of the file
};

// What features there are; none: no columns.
struct PartFeatures {
  std::int64_t columns = 0;
  bool sparse = false;
  std::vector<std::string> names;  // one per column; empty: called by their number
  TableSchema table;               // how they were made of a table
};

struct PartitionIndex {
  std::string name;    // of the data set
  std::string method;  // that chose the parts
  std::int64_t nodes = 0;
  ArcId arcs = 0;
  bool weighted = false;
  std::string nodes_digest;  // of nodes.npz
  PartFeatures features;
  std::vector<PartEntry> parts;

  std::vector<std::int64_t> starts() const;  // of the parts, and the end
};

inline constexpr std::string_view kPartitionEnding = ".hfp";

// By its name, or because it holds an index.
bool is_partition(const std::filesystem::path& path);

std::filesystem::path part_folder(const std::filesystem::path& folder, int part);

void write_index(const PartitionIndex& index, const std::filesystem::path& folder);
PartitionIndex read_index(const std::filesystem::path& folder);  // Error names what is wrong

// 16 hexadecimal digits of SHA-256 over all bytes.
std::string digest_of(std::span<const std::byte> bytes);
std::string short_digest(Sha256& digest);  // of all that was added; ends it

}  // namespace heatfront
