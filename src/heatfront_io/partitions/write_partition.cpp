// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/write_partition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

#include "heatfront/base/checks.h"
#include "heatfront/base/find_named.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/sha256.h"
#include "heatfront/base/text.h"
#include "heatfront_io/arrays/npy.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_io/partitions/arcs_on_disk.h"
#include "heatfront_io/partitions/mapped_array.h"
#include "heatfront_io/partitions/rows_on_disk.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::array<PartitionMethod, 4> kMethods = {
    {{"stream", "node by node to the part that has most of its neighbours, in ten passes; few ghosts"},
     {"block", "consecutive nodes; for data whose order is good already, and for one machine"},
     {"scotch",
      "by Scotch, below 2³¹ arcs, where `make cluster` was made; fewer ghosts of graphs with communities, "
      "for "
      "more time and memory"},
     {"file", "as --assignment says"}}};

void check(const PartitionOptions& options) {
  find_named(partition_methods(), options.method, "method");
  if ((options.method == "file") == options.file.empty())
    fail("the method file, and no other, takes the part of each node from a file; give both or neither");
  if (options.method == kScotch && options.scotch == nullptr)
    fail("method {}: it is in heatfront-cluster alone, which `make cluster` builds, where Scotch is there",
         kScotch);
}

// An npy file of so many numbers, written from its beginning on; its digest goes along.
template <class T>
class NpyOutput {
 public:
  NpyOutput(const fs::path& path, std::int64_t count) : file_(path) {
    const std::int64_t shape[] = {count};
    put(npy_header(kNpyDescr<T>, shape));
  }
  void add(std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (buffer_.size() >= kFlushed) flush();
  }
  std::string commit() {
    flush();
    file_.commit();
    return short_digest(digest_);
  }

 private:
  static constexpr std::size_t kFlushed = 1 << 20;

  void put(std::string_view text) {
    file_.write(text);
    digest_.add(std::as_bytes(std::span(text)));
  }
  void flush() {
    put(buffer_);
    buffer_.clear();
  }

  OutputFile file_;
  Sha256 digest_;
  std::string buffer_;
};

std::vector<std::int32_t> parts_in_file(const fs::path& path, std::int64_t nodes, int parts) {
  std::vector<std::int32_t> result;
  if (extension_of(path) == ".npy") {
    result = to_int32(read_npy(path));
  } else {
    for (const std::string& line : split_at(read_data(path), '\n')) {
      if (line.empty()) continue;
      const auto part = parse_integer(line);
      if (!part || *part < 0 || *part >= parts)
        fail("{}: line {}: '{}' is no part; they are 0 to {}", path.string(), result.size() + 1, line,
             parts - 1);
      result.push_back(static_cast<std::int32_t>(*part));
    }
  }
  if (std::ssize(result) != nodes)
    fail("{}: the parts of {} nodes; the graph has {}", path.string(), result.size(), nodes);
  require_ids(path.string(), result, 0, parts);
  return result;
}

std::vector<std::int32_t> choose_parts(const GraphRows& graph, const PartitionOptions& options,
                                       const ProgressCallback& progress) {
  if (options.method == "file") return parts_in_file(options.file, graph.nodes(), options.parts);
  if (options.method == "block" || options.parts == 1) return block_parts(graph, options.parts);
  if (options.method == kScotch) return options.scotch(graph, options.parts);
  return stream_parts(graph, options.parts, [&](int done, int passes) {
    report(progress, {"choosing parts", done, passes, "passes"});
  });
}

// Row by row, as the nodes come.
template <class T, class RowOf>
std::string write_rows(const fs::path& path, std::int64_t count, std::span<const NodeId> nodes,
                       const RowOf& row_of) {
  NpyOutput<T> output(path, count);
  std::vector<T> row;
  for (NodeId u : nodes) {
    const auto values = row_of(u);
    row.assign(values.begin(), values.end());
    output.add(row);
  }
  return output.commit();
}

void write_features(const Features& features, std::span<const NodeId> nodes, const fs::path& folder,
                    PartEntry& entry) {
  if (const Matrix* dense = features.dense()) {
    entry.digests["features.npy"] =
        write_rows<float>(folder / "features.npy", std::ssize(nodes) * dense->cols(), nodes,
                          [&](NodeId u) { return dense->row(u); });
  }
  if (const SparseMatrix* sparse = features.sparse()) {
    std::vector<std::int64_t> offsets = {0};
    for (NodeId u : nodes) offsets.push_back(offsets.back() + std::ssize(sparse->row_columns(u)));
    NpyOutput<std::int64_t> all_offsets(folder / "feature_offsets.npy", std::ssize(offsets));
    all_offsets.add(offsets);
    entry.digests["feature_offsets.npy"] = all_offsets.commit();
    entry.digests["feature_columns.npy"] =
        write_rows<std::int32_t>(folder / "feature_columns.npy", offsets.back(), nodes,
                                 [&](NodeId u) { return sparse->row_columns(u); });
    entry.digests["feature_values.npy"] =
        write_rows<float>(folder / "feature_values.npy", offsets.back(), nodes,
                          [&](NodeId u) { return sparse->row_values(u); });
  }
}

// Of all parts at once, in the one order that the array has; within a part it is that of the rows.
void write_features(const FeatureArray& array, const Partition& partition, const fs::path& folder,
                    PartitionIndex& index) {
  constexpr int kMostOpen = 500;
  constexpr std::int64_t kNumbersAtOnce = 1 << 18;
  if (array.columns == 0) return;
  if (partition.parts() > kMostOpen)
    fail("{}: its features can go into {} parts at most, where they are not held", array.file.string(),
         kMostOpen);
  std::deque<NpyOutput<float>> outputs;  // which stay where they are
  for (int part = 0; part < partition.parts(); ++part)
    outputs.emplace_back(part_folder(folder, part) / "features.npy",
                         (partition.starts[at(part) + 1] - partition.starts[at(part)]) * array.columns);
  NpzPieces pieces(array.file, array.name);
  const std::int64_t nodes = std::ssize(partition.places);
  const std::int64_t rows_at_once = std::max<std::int64_t>(1, kNumbersAtOnce / array.columns);
  for (std::int64_t first = 0; first < nodes; first += rows_at_once) {
    const std::int64_t rows = std::min(rows_at_once, nodes - first);
    const std::vector<Real> numbers = to_reals(pieces.next(rows * array.columns));
    const auto bad = std::ranges::find_if_not(numbers, [](Real x) { return std::isfinite(x); });
    if (bad != numbers.end())
      fail("{}: row {} has {}; features must be finite", pieces.where(),
           first + (bad - numbers.begin()) / array.columns, *bad);
    const std::vector<float> values(numbers.begin(), numbers.end());
    for (std::int64_t i = 0; i < rows; ++i) {
      const int part = partition.part_of(partition.places[at(first + i)]);
      outputs[at(part)].add(std::span(values).subspan(at(i * array.columns), at(array.columns)));
    }
  }
  for (std::size_t part = 0; part < outputs.size(); ++part)
    index.parts[part].digests["features.npy"] = outputs[part].commit();
  index.features.columns = array.columns;
}

// What is said of the rows of a part, and where their arcs begin.
PartEntry write_part(const GraphRows& graph, const Features& features, std::span<const NodeId> nodes,
                     const fs::path& folder) {
  make_folder(folder);
  std::vector<ArcId> offsets = {0};
  offsets.reserve(nodes.size() + 1);
  for (NodeId u : nodes) offsets.push_back(offsets.back() + std::ssize(graph.neighbours(u)));
  PartEntry entry{.count = {.arcs = offsets.back()}, .digests = {}};
  NpyOutput<ArcId> all_offsets(folder / "offsets.npy", std::ssize(offsets));
  all_offsets.add(offsets);
  entry.digests["offsets.npy"] = all_offsets.commit();
  NpyOutput<NodeId> ids(folder / "node_ids.npy", std::ssize(nodes));
  ids.add(nodes);
  entry.digests["node_ids.npy"] = ids.commit();
  write_features(features, nodes, folder, entry);
  return entry;
}

// The arcs of as many parts at once as memory allows: each time the whole graph is read, in its order.
void write_arcs(const GraphRows& graph, const Partition& partition, std::int64_t memory_limit,
                const fs::path& folder, std::vector<PartEntry>& entries, const ProgressCallback& progress) {
  constexpr std::int64_t kBytesOfPart = 4 << 20, kMostOpen = 200;  // beside a bit per node; two files each
  const auto parts = static_cast<int>(std::ssize(entries));
  const auto at_once = static_cast<int>(
      std::clamp<std::int64_t>(memory_limit / (graph.nodes() / 8 + kBytesOfPart), 1, kMostOpen));
  for (int first = 0; first < parts; first += at_once) {
    const int end = std::min(parts, first + at_once);
    std::deque<NpyOutput<NodeId>> targets_of;  // which stay where they are
    std::deque<NpyOutput<float>> weights_of;
    for (int part = first; part < end; ++part) {
      const ArcId arcs = entries[at(part)].count.arcs;
      targets_of.emplace_back(part_folder(folder, part) / "targets.npy", arcs);
      if (!graph.weights.empty()) weights_of.emplace_back(part_folder(folder, part) / "weights.npy", arcs);
    }
    std::vector<float> weights;
    const std::vector<PartCount> counts =
        walk_parts(graph, partition, first, end, [&](int part, NodeId node, std::span<const NodeId> targets) {
          targets_of[at(part - first)].add(targets);
          if (graph.weights.empty()) return;
          const auto of_node = graph.weights.subspan(at(graph.offsets[at(node)]), targets.size());
          weights.assign(of_node.begin(), of_node.end());
          weights_of[at(part - first)].add(weights);
        });
    for (int part = first; part < end; ++part) {
      PartEntry& entry = entries[at(part)];
      entry.count = counts[at(part - first)];
      entry.digests["targets.npy"] = targets_of[at(part - first)].commit();
      if (!graph.weights.empty()) entry.digests["weights.npy"] = weights_of[at(part - first)].commit();
    }
    report(progress, {"writing", end, parts, "parts"});
  }
}

PartitionIndex write_parts(const GraphRows& graph, const Dataset& of_nodes, const Dataset& featured,
                           const FeatureArray& features, const PartitionOptions& options,
                           const fs::path& folder, const ProgressCallback& progress) {
  const Partition partition = partition_by(choose_parts(graph, options, progress), options.parts);
  PartitionIndex index{.name = of_nodes.name,
                       .method = options.method,
                       .nodes = graph.nodes(),
                       .arcs = std::ssize(graph.targets),
                       .weighted = !graph.weights.empty(),
                       .nodes_digest = {},
                       .features = {.columns = featured.features.cols(),
                                    .sparse = featured.features.sparse() != nullptr,
                                    .names = featured.feature_names,
                                    .table = featured.table},
                       .parts = {}};
  write_npz(of_nodes, folder / "nodes.npz");
  index.nodes_digest = digest_of(MappedFile(folder / "nodes.npz").bytes());
  for (int part = 0; part < options.parts; ++part) {
    const auto begin = at(partition.starts[at(part)]), end = at(partition.starts[at(part) + 1]);
    index.parts.push_back(write_part(graph, featured.features,
                                     std::span(partition.nodes).subspan(begin, end - begin),
                                     part_folder(folder, part)));
  }
  write_arcs(graph, partition, options.memory_limit, folder, index.parts, progress);
  write_features(features, partition, folder, index);
  write_index(index, folder);
  return index;
}

// What is said of nodes: without edges and features.
Dataset nodes_of(const Dataset& dataset) {
  if (dataset.targets.present())
    fail("{}: its labels are quantities, or several per node; only classes go into parts", dataset.name);
  return {.name = dataset.name,
          .graph = Graph::without_edges(dataset.nodes()),
          .labels = dataset.labels,
          .class_names = dataset.class_names,
          .node_names = dataset.node_names,
          .split = dataset.split};
}

fs::path checked_folder(const fs::path& folder) {
  const fs::path named = folder.has_filename() ? folder : folder.parent_path();
  if (extension_of(named) != kPartitionEnding)
    fail("{}: a partition is a folder whose name ends with {}", folder.string(), kPartitionEnding);
  return named;
}

}  // namespace

std::span<const PartitionMethod> partition_methods() { return kMethods; }

PartitionIndex write_partition(const Dataset& dataset, const PartitionOptions& options,
                               const fs::path& folder, const ProgressCallback& progress) {
  check(options);
  OutputFolder output(checked_folder(folder));
  const Graph& graph = dataset.graph;
  PartitionIndex index = write_parts({graph.offsets(), graph.targets(), dataset.weights}, nodes_of(dataset),
                                     dataset, {}, options, output.temporary(), progress);
  output.commit();
  return index;
}

WrittenPartition partition_data(const std::string& data, const ReadOptions& reading,
                                const PartitionOptions& options, const fs::path& folder, Threads& threads,
                                const ProgressCallback& progress) {
  check(options);
  OutputFolder output(checked_folder(folder));
  const fs::path passing = output.temporary() / "rows";
  make_folder(passing);
  WrittenPartition written;
  {
    ArcsOnDisk arcs(passing);
    std::optional<EdgeStream> edges = edge_stream(data);
    if (edges) {
      written.data = std::move(edges->of_nodes);
    } else {
      ReadOptions to_disk = reading;
      to_disk.on_disk = &arcs;
      written.data = open_dataset(data, to_disk, threads);
      if (arcs.ended()) edges = arcs.edges();
    }
    std::optional<RowsOnDisk> rows;
    if (edges) rows.emplace(*edges, passing, options.memory_limit, threads, progress);
    if (arcs.ended()) {
      BuildReport changes = rows->changes();
      if (arcs.both_ways()) changes.one_way = 0;
      take_graph(written.data, {std::move(written.data.graph), {}, changes}, reading, data);
    }
    const Graph& graph = written.data.graph;
    const GraphRows held{graph.offsets(), graph.targets(), written.data.weights};
    written.index = write_parts(rows ? rows->rows() : held, nodes_of(written.data), written.data,
                                arcs.features, options, output.temporary(), progress);
  }
  fs::remove_all(passing);
  output.commit();
  return written;
}

}  // namespace heatfront
