// SPDX-License-Identifier: MIT
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/tables/csv_header.h"
#include "heatfront_io/tables/csv_table.h"
#include "heatfront_io/tables/edge_table.h"
#include "heatfront_io/tables/feature_lists.h"
#include "heatfront_io/tables/id_table.h"
#include "heatfront_io/tables/label_table.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

// The table of targets tells much of a node; these columns are what others call it by and what they predict.
constexpr std::string_view kNewIdNames[] = {"newid"};
constexpr std::string_view kIdNames[] = {"id"};
constexpr std::string_view kMusaeTargets[] = {"target", "mltarget", "pagetype", "mature"};

std::vector<fs::path> files_ending(const fs::path& folder, std::string_view end) {
  std::vector<fs::path> files;
  for (const fs::path& file : files_of(folder)) {
    if (without_gz(file).filename().string().ends_with(end)) files.push_back(file);
  }
  return files;
}

// Empty when there is none.
fs::path only_file(const fs::path& folder, std::string_view end) {
  const auto files = files_ending(folder, end);
  if (files.size() > 1) {
    fail("{}: {} and {} are two files of a kind; put each data set into a folder of its own", folder.string(),
         files[0].filename().string(), files[1].filename().string());
  }
  return files.empty() ? fs::path() : files[0];
}

// id,…,target: walked first for its nodes, then for their classes.
class TargetTable {
 public:
  TargetTable(const fs::path& path, IdTable& nodes, std::vector<std::string>& notes)
      : table_(path), header_(table_, {kIdNames, kNewIdNames, kMusaeTargets}) {
    const std::size_t width = header_.names().size();
    if (width < 2) fail("{}: no header of two columns or more; id,target is expected", table_.name());
    columns_.node = header_.find(kNewIdNames).value_or(header_.find(kIdNames).value_or(0));
    columns_.value = header_.find(kMusaeTargets).value_or(columns_.node == width - 1 ? width - 2 : width - 1);
    const std::size_t used[] = {columns_.node, columns_.value};
    if (auto note = header_.unused(used); !note.empty()) notes.push_back(std::move(note));
    for (CsvRows rows = header_.rows(); rows.next();) {
      require_width(rows, header_.first_row());
      const std::string_view id = rows.cells()[columns_.node];
      if (id.empty()) fail("{}: no node; every row needs its id", rows.place());
      nodes.number(id);
    }
  }
  TargetTable(const TargetTable&) = delete;
  TargetTable& operator=(const TargetTable&) = delete;

  void read(const IdTable& nodes, Dataset& dataset) const {
    Labels labels = read_label_table(table_, header_, columns_, nodes, {}, dataset.notes);
    dataset.labels = std::move(labels.labels);
    dataset.class_names = std::move(labels.class_names);
  }

 private:
  CsvTable table_;
  CsvHeader header_;
  NodeColumns columns_;
};

}  // namespace

bool is_musae(const fs::path& path) {
  return !files_ending(path, "edges.csv").empty() &&
         !(files_ending(path, "target.csv").empty() && files_ending(path, "features.json").empty());
}

Dataset read_musae(const fs::path& path, const ReadOptions& options, Threads& threads) {
  const fs::path edges = only_file(path, "edges.csv"), lists = only_file(path, "features.json"),
                 target_file = only_file(path, "target.csv");
  if (edges.empty()) fail("{}: no file *edges.csv", path.string());
  Dataset dataset{.name = stem_of(path)};
  const CsvTable edge_table(edges);
  IdTable nodes(edge_table.text().size());
  ArcList arcs = read_edge_table(edge_table, nodes, dataset.notes);

  std::optional<FeatureLists> features;
  if (!lists.empty()) features = read_feature_lists(lists);
  if (features) {
    for (const std::string& node : features->nodes) nodes.number(node);
  }
  std::optional<TargetTable> targets;
  if (!target_file.empty()) targets.emplace(target_file, nodes, dataset.notes);

  const std::vector<NodeId> renumbered = nodes.settle();
  for (std::vector<NodeId>* ends : {&arcs.from, &arcs.to}) renumber(*ends, renumbered);
  arcs.nodes = nodes.count();
  take_graph(dataset, build_graph(std::move(arcs), threads), options, path.string());
  if (!nodes.is_numbering()) dataset.node_names = nodes.names();
  if (features) dataset.features = features_of(*features, nodes);
  dataset.labels.assign(static_cast<std::size_t>(nodes.count()), kUnknown);
  if (targets) targets->read(nodes, dataset);
  check(dataset, path.string());
  return dataset;
}

}  // namespace heatfront
