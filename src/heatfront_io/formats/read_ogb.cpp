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
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/tables/csv_table.h"
#include "heatfront_io/tables/feature_table.h"
#include "heatfront_io/tables/node_count.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMostOgbClasses = 100'000;

// The folder with edge.csv.gz in it: FOLDER/raw or FOLDER itself; empty when there is none.
fs::path raw_folder(const fs::path& path) {
  for (const fs::path& folder : {path / "raw", path}) {
    if (!plain_or_gz(folder / "edge.csv").empty()) return folder;
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
    fail("{}: {} rows, but there are {} nodes; one row a node is needed", table.name(), rows, nodes);
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

ArcList read_edges(const CsvTable& table, std::int64_t nodes) {
  ArcList arcs;
  for (CsvRows rows = table.rows(); rows.next();) {
    if (rows.cells().size() != 2)
      fail("{}: {} columns; source,target is expected", rows.place(), rows.cells().size());
    arcs.from.push_back(read_node(rows.cells()[0], nodes, rows));
    arcs.to.push_back(read_node(rows.cells()[1], nodes, rows));
  }
  arcs.nodes = checked_node_count(nodes, static_cast<std::int64_t>(arcs.from.size()), table.name());
  return arcs;
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

std::vector<NodeId> read_part(const fs::path& folder, std::string_view part, NodeId nodes) {
  const fs::path path = folder / fmt::format("{}.csv", part);
  const auto table = table_at(path);
  if (!table) fail("{}: no such file, nor with .gz; train, valid and test make a split", path.string());
  std::vector<NodeId> ids;
  for (CsvRows rows = table->rows(); rows.next();) {
    if (rows.cells().size() != 1)
      fail("{}: {} columns; one node a row is expected", rows.place(), rows.cells().size());
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
        fmt::format("{}: of the splits {} the first was taken", splits.string(), join(schemes, ", ")));
  }
}

}  // namespace

// A lone edge.csv is somebody's own file.
bool is_ogb(const fs::path& path) {
  const fs::path raw = raw_folder(path);
  return !raw.empty() &&
         (!plain_or_gz(raw / "node-feat.csv").empty() || !plain_or_gz(raw / "node-label.csv").empty() ||
          !plain_or_gz(raw / "num-node-list.csv").empty());
}

Dataset read_ogb(const fs::path& path, const ReadOptions& options, Threads& threads) {
  const fs::path raw = raw_folder(path);
  if (raw.empty()) fail("{}: no edge.csv.gz, here or in raw/", path.string());
  const fs::path folder = folder_of(raw);
  Dataset dataset{.name = folder.filename().string()};
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
  if (nodes == 0) fail("{}: no rows; one a node is needed", (features ? *features : *labels).name());
  take_graph(dataset, build_graph(read_edges(CsvTable(plain_or_gz(raw / "edge.csv")), nodes), threads),
             options, path.string());
  if (features) dataset.features = Features(read_features(*features, dataset.nodes()));
  dataset.labels.assign(static_cast<std::size_t>(dataset.nodes()), kUnknown);
  if (labels) dataset.labels = read_labels(*labels, dataset.nodes());
  const std::int64_t classes = std::int64_t{1} + std::ranges::max(dataset.labels);
  if (labels) require_class_count(classes, dataset.nodes(), labels->name());
  dataset.class_names = numbered_names(classes);
  read_split(is_folder(folder / "split") ? folder / "split" : raw / "split", dataset);
  note_unused(raw, dataset.notes);
  check(dataset, path.string());
  return dataset;
}

}  // namespace heatfront
