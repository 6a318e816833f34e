// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/read_new_nodes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/tables/dataset_tables.h"
#include "heatfront_io/tables/new_rows.h"
#include "heatfront_io/tables/target_table.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

// Such a one is what it is called, whatever its header says.
bool has_usual_stem(const fs::path& file) {
  constexpr std::array<std::string_view, 3> kStems = {"edges", "features", "labels"};
  return std::ranges::find(kStems, stem_of(file)) != kStems.end();
}

// The table that is called so; where none is, the one whose header says that it holds this.
fs::path table_called(const fs::path& folder, std::string_view name, TableContent content) {
  std::vector<fs::path> named, alike;
  for (const fs::path& file : files_of(folder)) {
    if (!is_table_name(file)) continue;
    if (stem_of(file) == name) named.push_back(file);
    if (!has_usual_stem(file) && held_by(CsvTable(file), {}).content == content) alike.push_back(file);
  }
  const std::vector<fs::path>& found = named.empty() ? alike : named;
  if (found.size() > 1)
    fail("{}: {} and {} both hold {}; keep one of them", folder.string(), found[0].filename().string(),
         found[1].filename().string(), name);
  return found.empty() ? fs::path() : found.front();
}

constexpr std::string_view kInNeither = "is neither a node of the model nor a new one";

class NewNodesReader {
 public:
  NewNodesReader(const fs::path& folder, const Dataset& model) : folder_(folder), model_(model) {
    for (NodeId u = 0; u < model.nodes(); ++u) numbers_.emplace(model.node_name(u), u);
  }

  NewNodesFile read() {
    const fs::path edges = table_called(folder_, "edges", TableContent::edges),
                   features = table_called(folder_, "features", TableContent::features),
                   labels = table_called(folder_, "labels", TableContent::labels);
    if (edges.empty() && features.empty())
      fail("{}: neither edges.csv nor features.csv of new nodes is there", folder_.string());
    if (!edges.empty()) read_edges(edges);
    if (!features.empty()) read_features(features);
    if (features.empty() && model_.features.present())
      fail("{}: features.csv is missing; the model was trained with features, so give every new node a row",
           folder_.string());
    if (names_.empty())
      fail("{}: every node is in the model already; there is nothing to add", folder_.string());
    if (model_.features.present()) take_rows();
    if (!labels.empty() && model_.targets.present()) {
      read_targets(labels);
    } else if (!labels.empty()) {
      read_labels(labels);
    }
    result_.nodes.nodes = static_cast<NodeId>(names_.size());
    result_.nodes.edges.nodes = model_.nodes() + result_.nodes.nodes;
    if (!continues_numbers()) result_.nodes.names = names_;
    return std::move(result_);
  }

 private:
  NodeId number(const std::string& name) {
    const auto [place, is_new] = numbers_.emplace(name, model_.nodes() + static_cast<NodeId>(names_.size()));
    if (is_new) names_.push_back(name);
    return place->second;
  }

  // Numbers that go on where the model's end need no names.
  bool continues_numbers() const {
    if (!model_.node_names.empty()) return false;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] != std::to_string(static_cast<std::size_t>(model_.nodes()) + i)) return false;
    return true;
  }

  void read_edges(const fs::path& path) {
    const CsvTable table(path);
    IdTable ids(table.text().size());
    Problems problems;
    ListedArcs arcs;
    read_edge_table(table, {}, ids, arcs, result_.notes, problems);
    problems.throw_if_any();
    std::vector<NodeId> numbers;
    for (IdTable::Number i = 0; i < ids.count(); ++i) numbers.push_back(number(ids.name(i)));
    for (std::vector<NodeId>* ends : {&arcs.list.from, &arcs.list.to})
      for (NodeId& end : *ends) end = numbers[at(end)];
    result_.nodes.edges = std::move(arcs.list);
  }

  // Rows of nodes that the model has are not read: it keeps what it was trained with.
  void read_features(const fs::path& path) {
    if (!model_.features.present()) {
      result_.notes.push_back(
          fmt::format("{}: not used, for the model was trained without features", path.filename().string()));
      return;
    }
    rows_ = read_new_rows(path, model_);
    std::ranges::move(rows_.notes, std::back_inserter(result_.notes));
    std::int64_t old_nodes = 0;
    for (std::size_t i = 0; i < rows_.nodes.size(); ++i) {
      const NodeId u = number(rows_.nodes[i]);
      old_nodes += u < model_.nodes();
      if (u >= model_.nodes()) row_of_.emplace(u - model_.nodes(), static_cast<std::int64_t>(i));
    }
    if (old_nodes > 0)
      result_.notes.push_back(fmt::format("{}: {} of nodes that the model has {} not read; it keeps its own",
                                          path.filename().string(), counted(old_nodes, "row"),
                                          old_nodes == 1 ? "is" : "are"));
  }

  // By the order of the new nodes, which edges may have named in another; those without a row are filled in, as such of training were.
  void take_rows() {
    const auto lacking = static_cast<NodeId>(names_.size() - row_of_.size());
    if (lacking > 0)
      result_.notes.push_back(fmt::format("{} no row of features; {} filled in",
                                          counted(lacking, "new node", lacking == 1 ? " has" : " have"),
                                          lacking == 1 ? "it is" : "they are"));
    const Features filled = lacking > 0 ? features_without_rows(model_, 1) : Features();
    const auto source = [&](std::size_t u) -> std::pair<const Features*, std::int64_t> {
      const auto found = row_of_.find(static_cast<NodeId>(u));
      return found == row_of_.end() ? std::pair(&filled, std::int64_t{0})
                                    : std::pair(&rows_.features, found->second);
    };
    if (model_.features.dense() != nullptr) {
      Matrix result(std::ssize(names_), model_.features.cols());
      for (std::size_t u = 0; u < names_.size(); ++u) {
        const auto [from, row] = source(u);
        std::ranges::copy(from->dense()->row(row), result.row(static_cast<std::int64_t>(u)).begin());
      }
      result_.nodes.features = Features(std::move(result));
      return;
    }
    SparseMatrix result{.rows = std::ssize(names_), .cols = model_.features.cols()};
    for (std::size_t u = 0; u < names_.size(); ++u) {
      const auto [from, row] = source(u);
      std::ranges::copy(from->sparse()->row_columns(row), std::back_inserter(result.columns));
      std::ranges::copy(from->sparse()->row_values(row), std::back_inserter(result.values));
      result.offsets.push_back(result.entries());
    }
    result_.nodes.features = Features(std::move(result));
  }

  void read_labels(const fs::path& path) {
    const CsvTable table(path);
    const IdTable ids = all_nodes();
    Problems problems;
    const Labels labels = LabelTable(table, {}, result_.notes)
                              .read(ids, model_.class_names, result_.notes, problems, kInNeither);
    problems.throw_if_any();
    std::int64_t old_nodes = 0;
    for (std::size_t u = 0; u < labels.labels.size(); ++u) {
      if (labels.labels[u] == kUnknown) continue;
      if (u < at(model_.nodes())) {
        ++old_nodes;
      } else {
        result_.labels.nodes.push_back(static_cast<NodeId>(u));
        result_.labels.classes.push_back(labels.labels[u]);
      }
    }
    note_old_labels(table, old_nodes);
  }

  void read_targets(const fs::path& path) {
    const CsvTable table(path);
    Problems problems;
    const Targets labels =
        read_target_table(table, {}, model_.targets.kind, all_nodes(), model_.targets.names, result_.notes,
                          std::string(kInNeither), problems);
    problems.throw_if_any();
    result_.targets = {.kind = labels.kind, .names = labels.names};
    std::int64_t old_nodes = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels.nodes[i] < model_.nodes()) {
        ++old_nodes;
      } else {
        result_.targets.set(labels.nodes[i], labels.row(i));
      }
    }
    note_old_labels(table, old_nodes);
  }

  IdTable all_nodes() const {
    IdTable ids(at(model_.nodes()) + names_.size());
    for (NodeId u = 0; u < model_.nodes(); ++u) ids.number(model_.node_name(u));
    for (const std::string& name : names_) ids.number(name);
    return ids;
  }

  void note_old_labels(const CsvTable& table, std::int64_t count) {
    if (count == 0) return;
    result_.notes.push_back(
        fmt::format("{}: {} of nodes that the model has {} not read; `heatfront label --labels` sets them",
                    table.name(), counted(count, "label"), count == 1 ? "is" : "are"));
  }

  fs::path folder_;
  const Dataset& model_;
  std::unordered_map<std::string, NodeId> numbers_;
  std::vector<std::string> names_;                   // of new nodes
  NewRows rows_;                                     // of features
  std::unordered_map<NodeId, std::int64_t> row_of_;  // which is that of a new node
  NewNodesFile result_;
};

}  // namespace

NewNodesFile read_new_nodes(const fs::path& folder, const Dataset& model) {
  if (!is_folder(folder))
    fail("{} is not a folder; new nodes come as one with edges.csv and features.csv", folder.string());
  return NewNodesReader(folder, model).read();
}

}  // namespace heatfront
