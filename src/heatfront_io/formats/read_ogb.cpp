// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/formats/read_arcs.h"
#include "heatfront_io/partitions/arcs_on_disk.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMostOgbClasses = 100'000;

// Of the large data sets, as papers100M: arrays in place of tables.
bool has_arrays(const fs::path& folder) {
  const fs::path file = folder / "data.npz";
  return begins_as_zip(file) && NpzReader(file).has("num_nodes_list");
}

// The folder with edge.csv.gz or data.npz in it: FOLDER/raw or FOLDER itself; empty when there is none.
fs::path raw_folder(const fs::path& path) {
  for (const fs::path& folder : {path / "raw", path}) {
    if (!plain_or_gz(folder / "edge.csv").empty() || has_arrays(folder)) return folder;
  }
  return {};
}

// FOLDER where FOLDER/raw is read.
fs::path folder_of(const fs::path& raw) {
  const fs::path whole = fs::absolute(raw).lexically_normal();
  const fs::path folder = whole.has_filename() ? whole : whole.parent_path();
  return folder.filename() == "raw" ? folder.parent_path() : folder;
}

std::optional<CsvTable> table_at(const fs::path& path) {
  const fs::path there = plain_or_gz(path);
  return there.empty() ? std::nullopt : std::optional<CsvTable>(there);
}

std::int64_t count_rows(const CsvTable& table) {
  std::int64_t count = 0;
  for (CsvRows rows = table.rows(); rows.next();) ++count;
  return count;
}

void require_rows(const CsvTable& table, NodeId nodes) {
  const std::int64_t rows = count_rows(table);
  if (rows != nodes)
    fail("{}: {} rows, but there are {} nodes; one row per node is needed", table.name(), rows, nodes);
}

std::int64_t read_number(const CsvTable& table) {
  CsvRows rows = table.rows();
  if (!rows.next()) fail("{}: no rows; the number of nodes is expected", table.name());
  const auto number = parse_integer(rows.cells()[0]);
  if (!number || *number < 1 || rows.cells().size() > 1)
    fail("{}: the number of nodes is expected", rows.place());
  if (rows.next()) fail("{}: a second graph; only folders of one graph can be read", rows.place());
  return *number;
}

NodeId read_node(std::string_view cell, std::int64_t nodes, const CsvRows& rows) {
  const auto node = parse_integer(cell);
  if (!node || *node < 0 || *node >= nodes)
    fail("{}: node '{}'; nodes are 0 to {}", rows.place(), shown(cell), nodes - 1);
  return static_cast<NodeId>(*node);
}

NodeId read_edges(const CsvTable& table, std::int64_t nodes, ArcSink& arcs) {
  arcs.begin(false);
  std::int64_t count = 0;
  for (CsvRows rows = table.rows(); rows.next(); ++count) {
    if (rows.cells().size() != 2)
      fail("{}: {} columns; source,target is expected", rows.place(), rows.cells().size());
    const NodeId from = read_node(rows.cells()[0], nodes, rows), to = read_node(rows.cells()[1], nodes, rows);
    arcs.add(from, to, Real(1));
  }
  return checked_node_count(nodes, count, table.name());
}

Matrix read_features(const CsvTable& table, NodeId nodes) {
  CsvRows rows = table.rows();
  rows.next();
  const std::size_t width = rows.cells().size();
  const FirstRow first{.width = width, .line = rows.line()};
  while (rows.next()) require_width(rows, first);
  require_rows(table, nodes);
  Matrix features(nodes, static_cast<std::int64_t>(width));
  rows = table.rows();
  for (std::int64_t i = 0; rows.next(); ++i) {
    const auto row = features.row(i);
    for (std::size_t j = 0; j < width; ++j) row[j] = parse_feature(rows.cells()[j], rows);
  }
  return features;
}

// A class, or nan where it is not known; some files write 3.0 for 3.
ClassId read_label(std::string_view cell, const CsvRows& rows) {
  const auto value = parse_real(cell);
  if (value && (std::isnan(*value) || *value == -1)) return kUnknown;
  if (!value || !(*value >= 0 && *value < Real(kMostOgbClasses)) || std::trunc(*value) != *value) {
    fail("{}: label '{}'; a class counted from 0 is expected, or nan where it is not known", rows.place(),
         shown(cell));
  }
  return static_cast<ClassId>(*value);
}

std::vector<ClassId> read_labels(const CsvTable& table, NodeId nodes) {
  require_rows(table, nodes);
  std::vector<ClassId> labels;
  for (CsvRows rows = table.rows(); rows.next();) {
    if (rows.cells().size() != 1) {
      fail("{}: {} columns; labels of one task are expected, one per node", rows.place(),
           rows.cells().size());
    }
    labels.push_back(read_label(rows.cells()[0], rows));
  }
  return labels;
}

// The same of an array of one number per node.
std::vector<ClassId> read_labels(const NpyArray& array, NodeId nodes) {
  if (array.count() != nodes)
    fail("{}: {} labels of {} nodes; those of one task are expected", array.where(), array.count(), nodes);
  std::vector<ClassId> labels;
  for (const double value : to_doubles(array)) {
    const bool unknown = std::isnan(value) || value == -1;
    if (!unknown && !(value >= 0 && value < kMostOgbClasses && std::trunc(value) == value))
      fail("{}: label {} of node {}; a class counted from 0 is expected, or nan where it is not known",
           array.where(), value, labels.size());
    labels.push_back(unknown ? kUnknown : static_cast<ClassId>(value));
  }
  return labels;
}

void take_labels(Dataset& dataset, std::vector<ClassId> labels, const std::string& where) {
  dataset.labels = std::move(labels);
  const std::int64_t classes = std::int64_t{1} + std::ranges::max(dataset.labels);
  require_class_count(classes, dataset.nodes(), where);
  dataset.class_names = numbered_names(classes);
}

std::vector<NodeId> read_part(const fs::path& folder, std::string_view part, NodeId nodes) {
  const fs::path path = folder / fmt::format("{}.csv", part);
  const auto table = table_at(path);
  if (!table) fail("{}: no such file, nor with .gz; train, valid and test make a split", path.string());
  std::vector<NodeId> ids;
  for (CsvRows rows = table->rows(); rows.next();) {
    if (rows.cells().size() != 1)
      fail("{}: {} columns; one node per row is expected", rows.place(), rows.cells().size());
    ids.push_back(read_node(rows.cells()[0], nodes, rows));
  }
  std::ranges::sort(ids);
  return ids;
}

void note_unused(const fs::path& raw, std::vector<std::string>& notes) {
  constexpr std::string_view kUsed[] = {"edge.csv", "node-feat.csv", "node-label.csv", "num-node-list.csv",
                                        "num-edge-list.csv"};
  for (const fs::path& path : files_of(raw)) {
    const bool used = std::ranges::find(kUsed, without_gz(path).filename().string()) != std::end(kUsed);
    if (!used && extension_of(path) == ".csv") notes.push_back(fmt::format("{}: not used", path.string()));
  }
}

// split/SCHEME/train.csv.gz, …; the first scheme by name.
void read_split(const fs::path& splits, Dataset& dataset) {
  std::vector<std::string> schemes;
  for (const fs::path& folder : folders_of(splits)) {
    if (!plain_or_gz(folder / "train.csv").empty()) schemes.push_back(folder.filename().string());
  }
  if (schemes.empty()) return;
  const fs::path folder = splits / schemes.front();
  dataset.split = Split{.name = schemes.front(),
                        .train = read_part(folder, "train", dataset.nodes()),
                        .validation = read_part(folder, "valid", dataset.nodes()),
                        .test = read_part(folder, "test", dataset.nodes())};
  if (schemes.size() > 1) {
    dataset.notes.push_back(
        fmt::format("{}: there are the splits {}; the first is used", splits.string(), join(schemes, ", ")));
  }
}

}  // namespace

// A lone edge.csv is somebody's own file.
bool is_ogb(const fs::path& path) {
  const fs::path raw = raw_folder(path);
  return !raw.empty() &&
         (has_arrays(raw) || !plain_or_gz(raw / "node-feat.csv").empty() ||
          !plain_or_gz(raw / "node-label.csv").empty() || !plain_or_gz(raw / "num-node-list.csv").empty());
}

namespace {

void read_tables(const fs::path& raw, const fs::path& path, const ReadOptions& options, Dataset& dataset,
                 Threads& threads) {
  const auto features = table_at(raw / "node-feat.csv");
  const auto labels = table_at(raw / "node-label.csv");
  const auto list = table_at(raw / "num-node-list.csv");
  if (!list && !features && !labels) {
    fail(
        "{}: the number of nodes is not known; num-node-list.csv.gz, node-feat.csv.gz or node-label.csv.gz "
        "is needed",
        raw.string());
  }
  const std::int64_t nodes = list ? read_number(*list) : count_rows(features ? *features : *labels);
  if (nodes == 0) fail("{}: no rows; one per node is needed", (features ? *features : *labels).name());
  ReadArcs arcs(options);
  const NodeId checked = read_edges(arc_table(plain_or_gz(raw / "edge.csv"), options), nodes, arcs.sink());
  arcs.give_to(dataset, checked, {}, false, path.string(), threads);
  if (features) dataset.features = Features(read_features(*features, dataset.nodes()));
  if (labels) take_labels(dataset, read_labels(*labels, dataset.nodes()), labels->name());
}

void read_arrays(const fs::path& raw, const fs::path& path, const ReadOptions& options, Dataset& dataset,
                 Threads& threads) {
  const NpzReader npz(raw / "data.npz");
  const std::vector<std::int64_t> sizes = to_int64(npz.read("num_nodes_list"));
  if (sizes.size() != 1 || sizes[0] < 1 || sizes[0] > kMostNodes)
    fail("{}: the number of nodes of one graph is expected, from 1 to {}", npz.where_is("num_nodes_list"),
         kMostNodes);
  ReadArcs arcs(options);
  const std::int64_t count = list_ends(npz, "edge_index", sizes[0], arcs.sink());
  const NodeId nodes = checked_node_count(sizes[0], count, npz.where_is("edge_index"));
  arcs.give_to(dataset, nodes, {}, false, path.string(), threads);
  if (npz.has("node_feat") && options.on_disk != nullptr) {
    npz.leave("node_feat");
    const NpyHeader header = npz.header("node_feat");
    if (header.shape.size() != 2 || header.shape[0] != nodes || header.fortran_order)
      fail("{} must have the shape ({}, columns), row by row", npz.where_is("node_feat"), nodes);
    options.on_disk->features = {.file = raw / "data.npz", .name = "node_feat", .columns = header.shape[1]};
  } else if (npz.has("node_feat")) {
    dataset.features = Features(to_matrix(npz.read("node_feat")));
  }
  const fs::path labels = raw / "node-label.npz";
  if (begins_as_zip(labels))
    take_labels(dataset, read_labels(NpzReader(labels).read("node_label"), nodes), labels.string());
  npz.leave("num_edges_list");
  if (const auto unused = npz.unused(); !unused.empty())
    dataset.notes.push_back(fmt::format("{}: arrays not read: {}", npz.where(), join(unused, ", ")));
}

}  // namespace

Dataset read_ogb(const fs::path& path, const ReadOptions& options, Threads& threads) {
  const fs::path raw = raw_folder(path);
  if (raw.empty()) fail("{}: no edge.csv.gz, here or in raw/", path.string());
  const fs::path folder = folder_of(raw);
  Dataset dataset{.name = folder.filename().string()};
  (has_arrays(raw) ? read_arrays : read_tables)(raw, path, options, dataset, threads);
  if (dataset.labels.empty()) dataset.labels.assign(static_cast<std::size_t>(dataset.nodes()), kUnknown);
  read_split(is_folder(folder / "split") ? folder / "split" : raw / "split", dataset);
  note_unused(raw, dataset.notes);
  check(dataset, path.string());
  return dataset;
}

}  // namespace heatfront
