// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/read_partition.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
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

RankGraph read_rank_graph(const fs::path& folder, const PartitionIndex& index, const Cluster& cluster,
                          Threads& threads) {
  const Ranks& ranks = cluster.ranks();
  const auto parts = std::ssize(index.parts);
  const auto first_part = [&](int rank) { return parts * rank / ranks.count(); };
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
