// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront_io/arrays/sparse_arrays.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace {

constexpr std::string_view kFeatureNames[] = {"feature", "featureid", "featurename", "attribute",
                                              "word",    "term",      "column",      "col"};
constexpr std::string_view kValueNames[] = {"value", "val", "weight", "count", "tfidf"};

// Indices count from 0; names are columns in the order in which they appear.
std::int32_t number_feature(std::string_view cell, IdTable& features, const CsvRows& rows) {
  if (cell.empty()) fail("{}: no feature; node,feature,value is expected", rows.place());
  const auto index = parse_integer(cell);
  if (index && (*index < 0 || *index > kLargestFeature)) {
    fail("{}: feature {} is out of range; indices are 0 to {}", rows.place(), shown(cell), kLargestFeature);
  }
  return features.number(cell);
}

}  // namespace

Real parse_feature(std::string_view cell, const CsvRows& rows) {
  const auto value = parse_real(cell);
  if (!value)
    fail("{}: feature value '{}' is not a number like 0.5; every cell must be one", rows.place(),
         shown(cell));
  if (!std::isfinite(*value)) {
    fail("{}: feature value {}; every value must be a finite number", rows.place(), shown(cell));
  }
  return *value;
}

FeatureTable::FeatureTable(const CsvTable& table, IdTable& nodes, std::vector<std::string>& notes)
    : table_(&table), header_(table, {kNodeNames, kFeatureNames, kValueNames}) {
  find_layout(notes);
  number_nodes(nodes);
}

void FeatureTable::find_layout(std::vector<std::string>& notes) {
  const auto [width, line] = header_.first_row();
  if (width < 2) fail("{}:{}: one column; a node and its features are expected", table_->name(), line);
  const auto node = header_.find(kNodeNames), feature = header_.find(kFeatureNames),
             value = header_.find(kValueNames);
  node_column_ = node.value_or(0);
  if (!feature || (!value && width > 2)) return;
  layout_ = value ? Layout::entries : Layout::entries_of_one;
  feature_column_ = *feature;
  value_column_ = value.value_or(*feature);
  if (!node) {
    while (node_column_ == feature_column_ || node_column_ == value_column_) ++node_column_;
  }
  if (node_column_ >= width) {
    fail("{}:{}: the header has no node; node,feature,value is expected", table_->name(), line);
  }
  header_.note_unused({node_column_, feature_column_, value_column_}, notes);
}

// Three columns without a header are entries when a node comes back.
void FeatureTable::number_nodes(IdTable& nodes) {
  std::vector<std::int64_t> lines;  // of a node's row, 0: none yet
  for (CsvRows rows = header_.rows(); rows.next();) {
    require_width(rows, header_.first_row());
    const std::string_view id = rows.cells()[node_column_];
    if (id.empty()) fail("{}: no node; every row of features begins with one", rows.place());
    const IdTable::Number node = nodes.number(id);
    if (layout_ != Layout::rows) continue;
    lines.resize(static_cast<std::size_t>(nodes.count()));
    std::int64_t& line = lines[static_cast<std::size_t>(node)];
    if (line == 0) {
      line = rows.line();
      ++nodes_with_row_;
    } else if (header_.first_row().width == 3 && !header_.present()) {
      layout_ = Layout::entries;
    } else {
      fail("{}: node '{}' again, line {} has it already; give it one row, or the header node,feature,value",
           rows.place(), shown(id), line);
    }
  }
}

Features FeatureTable::read(const IdTable& nodes) {
  return layout_ == Layout::rows ? Features(read_rows(nodes)) : Features(read_entries(nodes));
}

Matrix FeatureTable::read_rows(const IdTable& nodes) {
  require_row_of_every_node(nodes);
  for (std::size_t c = 0; c < header_.names().size(); ++c)
    if (c != node_column_) names_.push_back(header_.names()[c]);
  Matrix matrix(nodes.count(), static_cast<std::int64_t>(header_.first_row().width) - 1);
  for (CsvRows rows = header_.rows(); rows.next();) {
    const auto cells = rows.cells();
    const auto row = matrix.row(*nodes.find(cells[node_column_]));
    std::size_t j = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c != node_column_) row[j++] = parse_feature(cells[c], rows);
    }
  }
  return matrix;
}

void FeatureTable::require_row_of_every_node(const IdTable& nodes) const {
  if (nodes_with_row_ == nodes.count()) return;
  std::vector<bool> has_row(static_cast<std::size_t>(nodes.count()));
  for (CsvRows rows = header_.rows(); rows.next();) {
    has_row[static_cast<std::size_t>(*nodes.find(rows.cells()[node_column_]))] = true;
  }
  const auto missing = static_cast<IdTable::Number>(std::ranges::find(has_row, false) - has_row.begin());
  const std::int64_t without = nodes.count() - nodes_with_row_;
  fail("{}: {} of {} {} no row, the first is '{}'; give every node of the edges a row", table_->name(),
       grouped(without), counted(nodes.count(), "node"), without == 1 ? "has" : "have",
       shown(nodes.name(missing)));
}

SparseMatrix FeatureTable::read_entries(const IdTable& nodes) {
  IdTable features(table_->text().size());
  MatrixEntries entries;
  for (CsvRows rows = header_.rows(); rows.next();) {
    const auto cells = rows.cells();
    entries.rows.push_back(*nodes.find(cells[node_column_]));
    entries.columns.push_back(number_feature(cells[feature_column_], features, rows));
    entries.values.push_back(layout_ == Layout::entries ? parse_feature(cells[value_column_], rows)
                                                        : Real(1));
  }
  std::int64_t width = features.count();
  if (features.all_integers()) {
    width = 0;
    for (std::int32_t& column : entries.columns) {
      column = static_cast<std::int32_t>(features.integer(column));
      width = std::max<std::int64_t>(width, column + 1);
    }
  } else {
    names_ = features.names();
  }
  return canonical(matrix_of(entries, nodes.count(), width));
}

}  // namespace heatfront
