// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_io/tables/dataset_tables.h"
#include "heatfront_io/tables/target_table.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

// Names as cells; refuses those that would not read back.
std::vector<std::string> cells_of(const std::vector<std::string>& names, std::string_view what) {
  std::unordered_set<std::string_view> met;
  std::vector<std::string> cells;
  for (const std::string& name : names) {
    if (name.empty() || !is_plain_text(name)) {
      fail("{} {} cannot be written as CSV: its name is empty or not plain UTF-8 text", what, cells.size());
    }
    if (!met.insert(name).second) {
      fail("{} {} cannot be written as CSV: another is also called '{}'", what, cells.size(), shown(name));
    }
    cells.push_back(csv_cell(name));
  }
  return cells;
}

std::vector<std::string> class_cells(const std::vector<std::string>& names) {
  const auto unknown = std::ranges::find_if(names, is_unknown_label);
  if (unknown != names.end() && !unknown->empty()) {
    fail("class {} cannot be written as CSV: its name '{}' says there that the class is not known",
         unknown - names.begin(), *unknown);
  }
  return cells_of(names, "class");
}

class CsvWriter {
 public:
  CsvWriter(const Dataset& dataset, const fs::path& folder)
      : dataset_(dataset),
        folder_(folder),
        nodes_(cells_of(dataset.node_names, "node")),
        classes_(class_cells(dataset.class_names)) {}

  // Each edge stands with its later node, and a named node without earlier neighbours is declared alone, so
  // that nodes appear in their order.
  void write_edges() const {
    const Graph& graph = dataset_.graph;
    const bool weighted = !dataset_.weights.empty();
    CsvFile file(folder_ / "edges.csv", weighted ? "source,target,weight" : "source,target");
    for (NodeId v = 0; v < graph.nodes(); ++v) {
      const auto neighbours = graph.neighbours(v);
      const bool earlier = !neighbours.empty() && neighbours.front() < v;
      if (neighbours.empty() || (!earlier && !nodes_.empty())) {
        file.add("{},{}\n", node(v), weighted ? "," : "");
      }
      for (std::size_t k = 0; k < neighbours.size() && neighbours[k] < v; ++k) {
        file.add("{},{}", node(v), node(neighbours[k]));
        if (weighted) file.add(",{}", dataset_.weights[static_cast<std::size_t>(graph.begin_of(v)) + k]);
        file.add("\n");
      }
    }
    file.commit();
  }

  void write_features() const {
    if (dataset_.features.cols() == 0) return;
    dataset_.features.dense() ? write_rows(*dataset_.features.dense())
                              : write_entries(*dataset_.features.sparse());
  }

  void write_labels() const {
    if (dataset_.targets.present()) return write_targets();
    if (classes_.empty()) return;
    CsvFile file(folder_ / "labels.csv", "node,label");
    std::vector<bool> met(classes_.size());
    for (NodeId u = 0; u < dataset_.nodes(); ++u) {
      const ClassId label = dataset_.labels[static_cast<std::size_t>(u)];
      if (label == kUnknown) continue;
      met[static_cast<std::size_t>(label)] = true;
      file.add("{},{}\n", node(u), classes_[static_cast<std::size_t>(label)]);
    }
    file.commit();
    std::vector<std::string> sorted = dataset_.class_names;
    sort_classes(sorted);
    if (sorted != dataset_.class_names || std::ranges::find(met, false) != met.end()) write_classes();
  }

  void write_split() const {
    if (!dataset_.split) return;
    CsvFile file(folder_ / "split.csv", "node,part");
    for (const NodeId u : dataset_.split->train) file.add("{},train\n", node(u));
    for (const NodeId u : dataset_.split->validation) file.add("{},validation\n", node(u));
    for (const NodeId u : dataset_.split->test) file.add("{},test\n", node(u));
    file.commit();
  }

 private:
  std::string node(NodeId u) const {
    return nodes_.empty() ? std::to_string(u) : nodes_[static_cast<std::size_t>(u)];
  }

  void write_rows(const Matrix& features) const {
    std::string header = "node";
    std::vector<std::string> names = cells_of(dataset_.feature_names, "feature");
    if (reads_as_entries(dataset_.feature_names)) names.clear();
    for (std::int64_t j = 0; j < features.cols(); ++j)
      header += names.empty() ? fmt::format(",f{}", j) : "," + names[static_cast<std::size_t>(j)];
    CsvFile file(folder_ / "features.csv", header);
    for (NodeId u = 0; u < dataset_.nodes(); ++u) {
      file.add("{}", node(u));
      for (const Real value : features.row(u)) file.add(",{}", value);
      file.add("\n");
    }
    file.commit();
  }

  // The number of columns is that of the last one listed: an empty last column is listed with a zero.
  void write_entries(const SparseMatrix& features) const {
    CsvFile file(folder_ / "features.csv", "node,feature,value");
    for (NodeId u = 0; u < dataset_.nodes(); ++u) {
      const auto columns = features.row_columns(u);
      const auto values = features.row_values(u);
      for (std::size_t k = 0; k < columns.size(); ++k) file.add("{},{},{}\n", node(u), columns[k], values[k]);
    }
    const auto last = static_cast<std::int32_t>(features.cols - 1);
    if (std::ranges::find(features.columns, last) == features.columns.end()) {
      file.add("{},{},0\n", node(0), last);
    }
    file.commit();
  }

  void write_targets() const {
    const Targets& targets = dataset_.targets;
    const std::vector<std::string> names = cells_of(targets.names, "column");
    const bool many = targets.kind == LabelKind::many;
    std::string header = many ? "node,label" : "node";
    for (std::size_t c = 0; c < names.size() && !many; ++c) header += "," + names[c];
    CsvFile file(folder_ / "labels.csv", header);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      file.add("{}", node(targets.nodes[i]));
      if (many) file.add(",{}", csv_cell(classes_text(targets, targets.row(i))));
      for (std::size_t c = 0; c < names.size() && !many; ++c) file.add(",{}", targets.row(i)[c]);
      file.add("\n");
    }
    file.commit();
    if (many) write_names(names);
  }

  void write_classes() const { write_names(classes_); }

  void write_names(const std::vector<std::string>& names) const {
    CsvFile file(folder_ / "classes.csv", "class");
    for (const std::string& name : names) file.add("{}\n", name);
    file.commit();
  }

  const Dataset& dataset_;
  const fs::path& folder_;
  std::vector<std::string> nodes_, classes_;  // as cells; no nodes: numbers
};

}  // namespace

void write_csv(const Dataset& dataset, const fs::path& folder) {
  check(dataset, dataset.name);
  OutputFolder output(folder);
  const CsvWriter writer(dataset, output.temporary());
  writer.write_edges();
  writer.write_features();
  writer.write_labels();
  writer.write_split();
  output.commit();
}

bool is_npz_name(const fs::path& path) {
  if (path.extension() == ".npz" || path == kStandardOutput) return true;
  if (path.has_extension())
    fail("{}: {} is not written; {} is an npz, and a name without an ending a folder of CSV files",
         path.string(), path.extension().string(), fs::path(path).replace_extension(".npz").string());
  return false;
}

void write_dataset(const Dataset& dataset, const fs::path& path) {
  is_npz_name(path) ? write_npz(dataset, path) : write_csv(dataset, path);
}

}  // namespace heatfront
