// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/read_new_nodes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kNamedAtMost = 5;

fs::path table_called(const fs::path& folder, std::string_view name) {
  constexpr std::array<std::string_view, 3> kEndings = {".csv", ".tsv", ".txt"};
  fs::path found;
  for (const fs::path& file : files_of(folder)) {
    if (stem_of(file) != name || std::ranges::find(kEndings, extension_of(file)) == kEndings.end()) continue;
    if (!found.empty())
      fail("{}: {} and {} both hold {}; keep one of them", folder.string(), found.filename().string(),
           file.filename().string(), name);
    found = file;
  }
  return found;
}

std::string some_of(const std::vector<std::string>& names) {
  std::vector<std::string> shown_names;
  for (const std::string& name : std::span(names).first(std::min(kNamedAtMost, names.size())))
    shown_names.push_back(fmt::format("'{}'", shown(name)));
  return join(shown_names, ", ") + (names.size() > kNamedAtMost ? ", …" : "");
}

// Which column of the model each column of a table is.
std::vector<std::int64_t> columns_like(const std::vector<std::string>& names, std::int64_t columns,
                                       const Dataset& model, const std::string& where,
                                       std::vector<std::string>& notes) {
  std::vector<std::int64_t> result;
  if (names.empty() || model.feature_names.empty()) {
    if (columns > model.features.cols() || (columns < model.features.cols() && !names.empty()))
      fail("{}: {} columns, but the model has {}; give the same ones", where, columns, model.features.cols());
    if (names.empty() != model.feature_names.empty())
      notes.push_back(fmt::format("{}: columns go by their place, for {} no names of columns", where,
                                  names.empty() ? "the table has" : "the model has"));
    for (std::int64_t j = 0; j < columns; ++j) result.push_back(j);
    return result;
  }
  std::unordered_map<std::string_view, std::int64_t> places;
  for (std::size_t j = 0; j < model.feature_names.size(); ++j)
    places.emplace(model.feature_names[j], static_cast<std::int64_t>(j));
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    const auto place = places.find(name);
    if (place == places.end()) {
      unknown.push_back(name);
    } else {
      result.push_back(place->second);
    }
  }
  if (!unknown.empty())
    fail("{}: the model was not trained with {}; leave such columns out, or train anew with them", where,
         some_of(unknown));
  std::vector<bool> met(model.feature_names.size());
  for (std::int64_t j : result) met[at(j)] = true;
  std::vector<std::string> missing;
  for (std::size_t j = 0; j < met.size(); ++j)
    if (!met[j]) missing.push_back(model.feature_names[j]);
  if (!missing.empty() && model.features.dense() != nullptr)
    fail("{}: the model was trained with {}, which {} not here; give every column of its features", where,
         some_of(missing), missing.size() == 1 ? "is" : "are");
  return result;
}

class NewNodesReader {
 public:
  NewNodesReader(const fs::path& folder, const Dataset& model) : folder_(folder), model_(model) {
    for (NodeId u = 0; u < model.nodes(); ++u) numbers_.emplace(model.node_name(u), u);
  }

  NewNodesFile read() {
    const fs::path edges = table_called(folder_, "edges"), features = table_called(folder_, "features"),
                   labels = table_called(folder_, "labels");
    if (edges.empty() && features.empty())
      fail("{}: neither edges.csv nor features.csv of new nodes is there", folder_.string());
    if (!edges.empty()) read_edges(edges);
    if (!features.empty()) read_features(features);
    if (features.empty() && model_.features.present())
      fail("{}: features.csv is missing; the model was trained with features, so give every new node a row",
           folder_.string());
    if (names_.empty())
      fail("{}: every node is in the model already; there is nothing to add", folder_.string());
    require_rows(features);
    if (!labels.empty()) read_labels(labels);
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
    ArcList arcs = read_edge_table(table, ids, result_.notes);
    std::vector<NodeId> numbers;
    for (IdTable::Number i = 0; i < ids.count(); ++i) numbers.push_back(number(ids.name(i)));
    for (std::vector<NodeId>* ends : {&arcs.from, &arcs.to})
      for (NodeId& end : *ends) end = numbers[at(end)];
    result_.nodes.edges = std::move(arcs);
  }

  // Rows of nodes that the model has are not read: it keeps what it was trained with.
  void read_features(const fs::path& path) {
    if (!model_.features.present()) {
      result_.notes.push_back(
          fmt::format("{}: not used, for the model was trained without features", path.filename().string()));
      const CsvTable table(path);
      IdTable ids(table.text().size());
      FeatureTable(table, ids, result_.notes);
      for (IdTable::Number i = 0; i < ids.count(); ++i) number(ids.name(i));
      return;
    }
    const CsvTable table(path);
    IdTable ids(table.text().size());
    FeatureTable rows(table, ids, result_.notes);
    const Features features = rows.read(ids);
    const std::vector<std::int64_t> columns =
        columns_like(rows.names(), features.cols(), model_, table.name(), result_.notes);
    std::vector<IdTable::Number> taken;
    std::int64_t old_nodes = 0;
    for (IdTable::Number i = 0; i < ids.count(); ++i) {
      const NodeId u = number(ids.name(i));
      old_nodes += u < model_.nodes();
      if (u < model_.nodes()) continue;
      row_of_.resize(std::max(row_of_.size(), at(u - model_.nodes()) + 1), -1);
      row_of_[at(u - model_.nodes())] = static_cast<IdTable::Number>(taken.size());
      taken.push_back(i);
    }
    if (old_nodes > 0)
      result_.notes.push_back(fmt::format("{}: {} of nodes that the model has {} not read; it keeps its own",
                                          table.name(), counted(old_nodes, "row"),
                                          old_nodes == 1 ? "is" : "are"));
    row_of_.resize(names_.size(), -1);
    result_.nodes.features = features.dense() != nullptr ? dense_rows(*features.dense(), columns, taken)
                                                         : sparse_rows(*features.sparse(), columns, taken);
  }

  // By the order of the new nodes, which edges may have named in another.
  Features dense_rows(const Matrix& rows, const std::vector<std::int64_t>& columns,
                      const std::vector<IdTable::Number>& taken) const {
    Matrix result(std::ssize(names_), model_.features.cols());
    for (std::size_t u = 0; u < row_of_.size(); ++u) {
      if (row_of_[u] < 0) continue;
      const auto from = rows.row(taken[at(row_of_[u])]);
      for (std::size_t j = 0; j < columns.size(); ++j)
        result(static_cast<std::int64_t>(u), columns[j]) = from[j];
    }
    return Features(std::move(result));
  }

  Features sparse_rows(const SparseMatrix& rows, const std::vector<std::int64_t>& columns,
                       const std::vector<IdTable::Number>& taken) const {
    SparseMatrix result{.rows = std::ssize(names_), .cols = model_.features.cols()};
    for (const IdTable::Number row : row_of_) {
      if (row >= 0) {
        const std::int64_t i = taken[at(row)];
        for (std::size_t k = 0; k < rows.row_columns(i).size(); ++k) {
          result.columns.push_back(static_cast<std::int32_t>(columns[at(rows.row_columns(i)[k])]));
          result.values.push_back(rows.row_values(i)[k]);
        }
      }
      result.offsets.push_back(result.entries());
    }
    return Features(canonical(std::move(result)));
  }

  // Of entries, a node that none is listed of has zeros.
  void require_rows(const fs::path& features) {
    if (!model_.features.present()) return;
    row_of_.resize(names_.size(), -1);
    std::vector<std::string> without;
    for (std::size_t u = 0; u < names_.size(); ++u)
      if (row_of_[u] < 0) without.push_back(names_[u]);
    if (!without.empty() && result_.nodes.features.dense() != nullptr)
      fail("{}: {} no row, the first are {}; give every new node one", features.string(),
           counted(std::ssize(without), "new node", without.size() == 1 ? " has" : " have"),
           some_of(without));
  }

  void read_labels(const fs::path& path) {
    const CsvTable table(path);
    IdTable ids(table.text().size());
    for (NodeId u = 0; u < model_.nodes(); ++u) ids.number(model_.node_name(u));
    for (const std::string& name : names_) ids.number(name);
    const Labels labels = read_label_table(table, ids, model_.class_names, result_.notes,
                                           "is neither a node of the model nor a new one");
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
    if (old_nodes > 0)
      result_.notes.push_back(
          fmt::format("{}: {} of nodes that the model has {} not read; `heatfront label --labels` sets them",
                      table.name(), counted(old_nodes, "label"), old_nodes == 1 ? "is" : "are"));
  }

  fs::path folder_;
  const Dataset& model_;
  std::unordered_map<std::string, NodeId> numbers_;
  std::vector<std::string> names_;       // of new nodes
  std::vector<IdTable::Number> row_of_;  // by new node; −1: none
  NewNodesFile result_;
};

}  // namespace

NewNodesFile read_new_nodes(const fs::path& folder, const Dataset& model) {
  if (!is_folder(folder))
    fail("{}: is not a folder; new nodes come as one with edges.csv and features.csv", folder.string());
  return NewNodesReader(folder, model).read();
}

}  // namespace heatfront
