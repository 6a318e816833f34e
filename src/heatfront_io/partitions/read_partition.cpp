// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/read_partition.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "heatfront/base/checks.h"
#include "heatfront/base/ranks.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/partitions/mapped_array.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

struct PartFiles {
  RowBlock block;
  std::span<const NodeId> ids;
  std::vector<std::unique_ptr<MappedFile>> files;
};

struct OwnParts {
  std::vector<PartFiles> parts;
  std::vector<std::vector<Real>> weights;  // where Real is not what the files have
};

[[noreturn]] void fail_foreign(const fs::path& path) {
  fail("{}: it is not what index.json was written with: damaged, or of another partition", path.string());
}

template <class T>
std::span<const T> open_array(const fs::path& folder, const std::string& name, const PartEntry& entry,
                              PartFiles& part) {
  const fs::path path = folder / name;
  const auto digest = entry.digests.find(name);
  if (digest == entry.digests.end()) fail("{}: index.json does not know it", path.string());
  const MappedFile& file = *part.files.emplace_back(std::make_unique<MappedFile>(path));
  if (digest_of(file.bytes()) != digest->second) fail_foreign(path);
  return mapped_numbers<T>(file, path);
}

template <class T>
std::span<const Real> reals_of(std::span<const T> values, std::vector<Real>& kept) {
  if constexpr (std::is_same_v<T, Real>) {
    return values;
  } else {
    kept.assign(values.begin(), values.end());
    return kept;
  }
}

PartFiles open_part(const fs::path& folder, const PartitionIndex& index, const PartEntry& entry,
                    std::int64_t first, std::vector<Real>& kept) {
  PartFiles part;
  const auto offsets = open_array<ArcId>(folder, "offsets.npy", entry, part);
  const auto targets = open_array<NodeId>(folder, "targets.npy", entry, part);
  part.ids = open_array<NodeId>(folder, "node_ids.npy", entry, part);
  if (std::ssize(offsets) != entry.count.rows + 1 || std::ssize(part.ids) != entry.count.rows ||
      std::ssize(targets) != entry.count.arcs || offsets.front() != 0 || offsets.back() != entry.count.arcs ||
      !std::ranges::is_sorted(offsets))
    fail("{}: its offsets are not those of {} rows with {} arcs", (folder / "offsets.npy").string(),
         entry.count.rows, entry.count.arcs);
  require_ids((folder / "node_ids.npy").string(), part.ids, 0, index.nodes);
  if (std::ranges::adjacent_find(part.ids, std::greater_equal<>()) != part.ids.end())
    fail("{}: nodes do not ascend", (folder / "node_ids.npy").string());
  require_ids((folder / "targets.npy").string(), targets, -first, index.nodes - first);
  part.block = {.first = first, .offsets = offsets, .targets = targets, .weights = {}};
  if (!index.weighted) return part;
  const std::string where = (folder / "weights.npy").string();
  part.block.weights = reals_of(open_array<float>(folder, "weights.npy", entry, part), kept);
  if (std::ssize(part.block.weights) != entry.count.arcs)
    fail("{}: {} weights of {} arcs", where, part.block.weights.size(), entry.count.arcs);
  require_weights(where, part.block.weights, entry.count.arcs);
  return part;
}

}  // namespace

Dataset read_partition_nodes(const fs::path& folder, const PartitionIndex& index, Threads& threads) {
  const fs::path path = folder / "nodes.npz";
  if (digest_of(MappedFile(path).bytes()) != index.nodes_digest) fail_foreign(path);
  Dataset dataset = read_npz(path, {}, threads);
  if (dataset.nodes() != index.nodes)
    fail("{}: {} nodes; the partition has {}", path.string(), dataset.nodes(), index.nodes);
  dataset.name = index.name;
  return dataset;
}

namespace {

// Of the features of a part, with what a reader of any file would check.
struct PartFeatureRows {
  std::span<const float> dense;
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> columns;
  std::span<const float> values;
  PartFiles files;
};

PartFeatureRows open_features(const fs::path& folder, const PartitionIndex& index, const PartEntry& entry) {
  PartFeatureRows rows;
  const std::int64_t columns = index.features.columns;
  if (!index.features.sparse) {
    rows.dense = open_array<float>(folder, "features.npy", entry, rows.files);
    if (std::ssize(rows.dense) != entry.count.rows * columns)
      fail("{}: {} numbers; {} rows of {} features are needed", (folder / "features.npy").string(),
           rows.dense.size(), entry.count.rows, columns);
    return rows;
  }
  rows.offsets = open_array<std::int64_t>(folder, "feature_offsets.npy", entry, rows.files);
  rows.columns = open_array<std::int32_t>(folder, "feature_columns.npy", entry, rows.files);
  rows.values = open_array<float>(folder, "feature_values.npy", entry, rows.files);
  const std::string where = (folder / "feature_offsets.npy").string();
  if (std::ssize(rows.offsets) != entry.count.rows + 1 || rows.offsets.front() != 0 ||
      rows.offsets.back() != std::ssize(rows.columns) || rows.columns.size() != rows.values.size() ||
      !std::ranges::is_sorted(rows.offsets))
    fail("{}: its offsets are not those of {} rows with {} features and {} values", where, entry.count.rows,
         rows.columns.size(), rows.values.size());
  require_ids((folder / "feature_columns.npy").string(), rows.columns, 0, columns);
  return rows;
}

// Adds up rows in the order that the places say.
class FeatureRows {
 public:
  FeatureRows(const PartFeatures& features, std::int64_t rows)
      : features_(features), dense_(features.sparse ? 0 : rows, features.sparse ? 0 : features.columns) {
    sparse_.cols = features.columns;
  }

  void add(const PartFeatureRows& from, std::int64_t row) {
    if (!features_.sparse) {
      std::copy_n(from.dense.begin() + row * features_.columns, features_.columns,
                  dense_.row(rows_++).begin());
      return;
    }
    const std::size_t begin = at(from.offsets[at(row)]), count = at(from.offsets[at(row) + 1]) - begin;
    const auto columns = from.columns.subspan(begin, count);
    const auto values = from.values.subspan(begin, count);
    sparse_.columns.insert(sparse_.columns.end(), columns.begin(), columns.end());
    sparse_.values.insert(sparse_.values.end(), values.begin(), values.end());
    sparse_.offsets.push_back(sparse_.entries());
    ++sparse_.rows;
  }

  Features done() && { return features_.sparse ? Features(std::move(sparse_)) : Features(std::move(dense_)); }

 private:
  const PartFeatures& features_;
  Matrix dense_;
  SparseMatrix sparse_;
  std::int64_t rows_ = 0;
};

// The parts first … first + count − 1, and in them the rows of these nodes, in this order.
Features features_of_nodes(const fs::path& folder, const PartitionIndex& index, std::int64_t first_part,
                           std::int64_t count, std::span<const NodeId> nodes) {
  std::vector<PartFeatureRows> parts;
  std::vector<std::pair<int, std::int64_t>> place(
      at(index.nodes));  // part and row of the nodes of these parts
  for (std::int64_t i = 0; i < count; ++i) {
    const fs::path part = part_folder(folder, static_cast<int>(first_part + i));
    const PartEntry& entry = index.parts[at(first_part + i)];
    parts.push_back(open_features(part, index, entry));
    const auto ids = open_array<NodeId>(part, "node_ids.npy", entry, parts.back().files);
    for (std::int64_t row = 0; row < std::ssize(ids); ++row)
      place[at(ids[at(row)])] = {static_cast<int>(i), row};
  }
  FeatureRows rows(index.features, std::ssize(nodes));
  for (NodeId node : nodes) rows.add(parts[at(place[at(node)].first)], place[at(node)].second);
  return std::move(rows).done();
}

std::int64_t first_part_of(int rank, const PartitionIndex& index, const Ranks& ranks) {
  return std::ssize(index.parts) * rank / ranks.count();
}

}  // namespace

Features read_rank_features(const fs::path& folder, const PartitionIndex& index, const RankGraph& graph,
                            const Cluster& cluster) {
  Features features;
  const Ranks& ranks = cluster.ranks();
  if (index.features.columns == 0) return features;
  agreed(ranks, [&] {
    const std::int64_t first = first_part_of(ranks.rank(), index, ranks);
    features = features_of_nodes(folder, index, first, first_part_of(ranks.rank() + 1, index, ranks) - first,
                                 graph.ids);
  });
  return features;
}

Dataset read_partition(const fs::path& folder, Threads& threads) {
  const PartitionIndex index = read_index(folder);
  Dataset dataset = read_partition_nodes(folder, index, threads);
  const RankGraph graph = read_rank_graph(folder, index, Cluster::alone(), threads);
  std::vector<NodeId> row_of(at(graph.nodes));
  for (std::size_t i = 0; i < graph.ids.size(); ++i) row_of[at(graph.ids[i])] = static_cast<NodeId>(i);
  std::vector<ArcId> offsets = {0};
  std::vector<NodeId> targets;
  targets.reserve(at(index.arcs));
  for (NodeId row : row_of) {
    const RowBlock& block = *(std::ranges::upper_bound(graph.inside, row, {}, &RowBlock::first) - 1);
    const ArcId end = block.offsets[at(row - block.first) + 1];
    for (ArcId arc = block.offsets[at(row - block.first)]; arc < end; ++arc) {
      targets.push_back(graph.ids[at(block.first + block.targets[at(arc)])]);
      if (!block.weights.empty()) dataset.weights.push_back(block.weights[at(arc)]);
    }
    offsets.push_back(std::ssize(targets));
  }
  dataset.graph = Graph(std::move(offsets), std::move(targets));
  if (index.features.columns > 0) {
    std::vector<NodeId> nodes(at(index.nodes));
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    dataset.features = features_of_nodes(folder, index, 0, std::ssize(index.parts), nodes);
    dataset.feature_names = index.features.names;
    dataset.table = index.features.table;
  }
  check(dataset, folder.string());
  return dataset;
}

RankGraph read_rank_graph(const fs::path& folder, const PartitionIndex& index, const Cluster& cluster,
                          Threads& threads) {
  const Ranks& ranks = cluster.ranks();
  const auto first_part = [&](int rank) { return first_part_of(rank, index, ranks); };
  const std::vector<std::int64_t> part_starts = index.starts();
  std::vector<std::int64_t> starts;
  for (int rank = 0; rank <= ranks.count(); ++rank) starts.push_back(part_starts[at(first_part(rank))]);

  const std::int64_t first = first_part(ranks.rank()), count = first_part(ranks.rank() + 1) - first;
  const auto own = std::make_shared<OwnParts>();
  agreed(ranks, [&] {
    own->parts.resize(at(count));
    own->weights.resize(at(count));
    threads.for_blocks(count, 1, [&](std::int64_t i, std::int64_t) {
      const std::int64_t part = first + i;
      own->parts[at(i)] = open_part(part_folder(folder, static_cast<int>(part)), index, index.parts[at(part)],
                                    part_starts[at(part)], own->weights[at(i)]);
    });
  });
  std::vector<RowBlock> blocks;
  std::vector<NodeId> ids;
  for (const PartFiles& part : own->parts) {
    blocks.push_back(part.block);
    ids.insert(ids.end(), part.ids.begin(), part.ids.end());
  }
  return rank_graph(std::move(blocks), std::move(ids), starts, cluster, own);
}

}  // namespace heatfront
