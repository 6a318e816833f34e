// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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
constexpr std::size_t kMostNamed = 12;  // columns in one note

// Indices count from 0; names are columns in the order in which they appear.
std::int32_t number_feature(std::string_view cell, IdTable& features, const CsvRows& rows) {
  if (cell.empty()) fail("{}: no feature; node,feature,value is expected", rows.place());
  const auto index = parse_integer(cell);
  if (index && (*index < 0 || *index > kLargestFeature)) {
    fail("{}: feature {} is out of range; indices are 0 to {}", rows.place(), shown(cell), kLargestFeature);
  }
  return features.number(cell);
}

// "kind: a (why), b (why), …"; nothing without columns.
void add_note(std::vector<std::string>& notes, const std::string& table, std::string_view what,
              std::vector<std::string> columns) {
  if (columns.empty()) return;
  const bool many = columns.size() > kMostNamed;
  const std::size_t more = columns.size() - std::min(columns.size(), kMostNamed);
  if (many) columns.resize(kMostNamed);
  notes.push_back(fmt::format("{}: {}: {}{}", table, what, join(columns, ", "),
                              many ? fmt::format(", and {} more", more) : ""));
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:.3g} %",
                     100 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole)));
}

std::string note_on_missing_rows(const CsvTable& table, std::vector<std::string> names,
                                 const std::vector<bool>& has_row) {
  std::vector<std::string> without, with;
  for (std::size_t u = 0; u < names.size(); ++u) (has_row[u] ? with : without).push_back(std::move(names[u]));
  return fmt::format("{}: {} of {} {} no row: {}; what {} is filled in", table.name(),
                     grouped(std::ssize(without)), counted(std::ssize(names), "node"),
                     without.size() == 1 ? "has" : "have", listed_ids(without, with),
                     without.size() == 1 ? "it misses" : "they miss");
}

bool has_usual(std::span<const std::string> names, ColumnNames usual) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return std::ranges::any_of(usual, [&](std::string_view known) { return same_name(name, known); });
  });
}

}  // namespace

bool reads_as_entries(std::span<const std::string> names) {
  return has_usual(names, kFeatureNames) && (names.size() == 1 || has_usual(names, kValueNames));
}

std::string wrong_cell(const TableColumn& column, std::string_view cell, const std::string& place) {
  if (column.kind == ColumnKind::date)
    return fmt::format("{}: '{}' in column '{}' is not a date; the others are {}", place, shown(cell),
                       shown(column.name), name_of(column.form));
  const auto number = parse_cell(cell, column.decimal_comma);
  return number
             ? fmt::format("{}: feature value {}; every value must be a finite number", place, shown(cell))
             : fmt::format(
                   "{}: feature value '{}' in column '{}' is not a number like 0.5, as the others are; leave "
                   "the cell empty where it is not known",
                   place, shown(cell), shown(column.name));
}

void note_columns(const TableSchema& schema, const std::string& table, std::vector<std::string>& notes) {
  std::vector<std::string> categories, dates, commas, gaps, unused;
  for (const TableColumn& column : schema.columns) {
    const std::string name = fmt::format("'{}'", shown(column.name));
    if (column.kind == ColumnKind::category)
      categories.push_back(fmt::format("{} ({}{})", name, counted(std::ssize(column.categories), "value"),
                                       column.pools ? ", rarer ones pooled" : ""));
    if (column.kind == ColumnKind::date)
      dates.push_back(
          fmt::format("{} ({}, days since {})", name, name_of(column.form), date_text(column.first_day)));
    if (column.kind == ColumnKind::unused) unused.push_back(fmt::format("{} ({})", name, column.why));
    if (column.decimal_comma) commas.push_back(name);
    if (column.marks_missing)
      gaps.push_back(fmt::format("{} ({} of the rows)", name, share_text(column.missing, schema.rows)));
  }
  add_note(notes, table, "columns of text, read as categories", std::move(categories));
  add_note(notes, table, "dates, read as days", std::move(dates));
  add_note(notes, table, "numbers with decimal commas", std::move(commas));
  add_note(notes, table,
           "missing values, filled with the mean or the most frequent value and marked by a column",
           std::move(gaps));
  add_note(notes, table, "columns not used", std::move(unused));
}

TableSchema schema_of(const Dataset& dataset) {
  if (dataset.table.present()) return dataset.table;
  TableSchema schema;
  for (std::int64_t j = 0; j < dataset.features.cols(); ++j)
    schema.columns.push_back(
        {.name = dataset.feature_names.empty() ? fmt::format("f{}", j) : dataset.feature_names[at(j)]});
  return schema;
}

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

FeatureTable::FeatureTable(const CsvTable& table, const ColumnChoice& choice, IdTable& nodes,
                           std::vector<std::string>& notes, Problems& problems)
    : table_(&table),
      choice_(&choice),
      header_(table, {kNodeNames, kFeatureNames, kValueNames}, std::array{choice.node, choice.label}) {
  find_layout(notes);
  number_nodes(nodes, notes, problems);
}

void FeatureTable::find_layout(std::vector<std::string>& notes) {
  const auto [width, line] = header_.first_row();
  if (width < 2)
    fail("{}:{}: one column; a node and its features are expected, {}", table_->name(), line, kSeparated);
  const auto node = header_.find(choice_->node, kNodeNames), feature = header_.find(kFeatureNames),
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
  header_.note_unused({node_column_, feature_column_, value_column_}, notes, choice_->ignored);
}

bool FeatureTable::is_same_row(CsvRows::Place one, std::span<const std::string_view> cells) const {
  CsvRows rows = table_->rows();
  rows.go_to(one);
  return rows.try_next() && std::ranges::equal(rows.cells(), cells);
}

// Three columns without a header are entries when a node comes back.
void FeatureTable::number_nodes(IdTable& nodes, std::vector<std::string>& notes, Problems& problems) {
  std::vector<CsvRows::Place> places;  // of a node's row, line 0: none yet
  for (CsvRows rows = header_.rows(); rows.next(problems);) {
    if (!has_width(rows, header_.first_row(), problems)) continue;
    const std::string_view id = rows.cells()[node_column_];
    if (id.empty()) {
      problems.add(fmt::format("{}: no node; every row of features begins with one", rows.place()));
      continue;
    }
    const IdTable::Number node = nodes.number(id);
    if (layout_ != Layout::rows) continue;
    places.resize(static_cast<std::size_t>(nodes.count()));
    CsvRows::Place& place = places[static_cast<std::size_t>(node)];
    if (place.line == 0) {
      place = rows.row_place();
      ++schema_.rows;
    } else if (header_.first_row().width == 3 && !header_.present()) {
      layout_ = Layout::entries;
    } else if (is_same_row(place, rows.cells())) {
      repeats_.push_back(rows.line());
    } else {
      problems.add(fmt::format(
          "{}: node '{}' again, line {} has it already with other values; give it one row, or the header "
          "node,feature,value",
          rows.place(), shown(id), place.line));
    }
  }
  if (layout_ == Layout::rows && !repeats_.empty())
    notes.push_back(
        fmt::format("{}: {} merged", table_->name(), counted(std::ssize(repeats_), "repeated row")));
}

bool FeatureTable::is_left_out(std::size_t column) const {
  if (column == node_column_ || header_.find_named(choice_->label) == column) return true;
  return std::ranges::any_of(choice_->ignored,
                             [&](const std::string& name) { return header_.find_named(name) == column; });
}

std::string FeatureTable::column_name(std::size_t column) const {
  return header_.present() ? header_.names()[column] : fmt::format("column {}", column + 1);
}

void FeatureTable::learn_columns() {
  std::vector<ColumnLearner> learners;
  for (std::size_t c = 0; c < header_.first_row().width; ++c) {
    if (is_left_out(c)) continue;
    columns_.push_back(c);
    learners.emplace_back(column_name(c), table_->delimiter() == Delimiter::semicolon);
  }
  const auto walk = [&](const auto& visit) {
    Problems already_known;
    for (CsvRows rows = header_.rows(); rows.next(already_known);) {
      if (rows.cells().size() != header_.first_row().width ||
          std::ranges::binary_search(repeats_, rows.line()))
        continue;
      for (std::size_t k = 0; k < columns_.size(); ++k) visit(learners[k], rows.cells()[columns_[k]]);
    }
  };
  walk([](ColumnLearner& learner, std::string_view cell) { learner.add(cell); });
  if (std::ranges::any_of(learners, &ColumnLearner::is_text))
    walk([](ColumnLearner& learner, std::string_view cell) {
      if (learner.is_text()) learner.count(cell);
    });
  for (const ColumnLearner& learner : learners) schema_.columns.push_back(learner.column());
}

Features FeatureTable::read(const IdTable& nodes, std::vector<std::string>& notes, Problems& problems) {
  if (layout_ != Layout::rows) return Features(read_entries(nodes, nullptr, notes, problems));
  learn_columns();
  note_columns(schema_, table_->name(), notes);
  schema_.marks_no_row = schema_.rows < nodes.count() && !problems.any();
  if (header_.present() || !schema_.is_plain()) names_ = schema_.feature_names();
  if (schema_.width() == 0) return {};
  return Features(read_rows(nodes, notes, problems));
}

Features FeatureTable::read_like(const Dataset& like, const IdTable& nodes, std::vector<std::string>& notes,
                                 Problems& problems) {
  if (like.features.sparse() != nullptr && !like.table.present()) {
    if (layout_ == Layout::rows)
      fail("{}: one row per node; the features of {} are given by node,feature,value", table_->name(),
           like.name);
    return Features(read_entries(nodes, &like, notes, problems));
  }
  if (layout_ != Layout::rows)
    fail("{}: features by node,feature,value; those of {} have one row per node", table_->name(), like.name);
  const std::int64_t rows = schema_.rows;
  schema_ = schema_of(like);
  schema_.rows = rows;
  const std::size_t width = header_.first_row().width;
  if (!header_.present() && width != schema_.columns.size() + 1)
    fail("{}:{}: {} and no header; {} has {} beside the node", table_->name(), header_.first_row().line,
         counted(static_cast<std::int64_t>(width), "column"), like.name,
         counted(std::ssize(schema_.columns), "column"));
  std::vector<std::string> absent;
  std::vector<bool> taken(width);
  for (std::size_t k = 0; k < schema_.columns.size(); ++k) {
    const TableColumn& column = schema_.columns[k];
    std::optional<std::size_t> found;
    for (std::size_t c = 0; c < width && !found; ++c) {
      const bool is_it = header_.present() ? header_.has_name(c, column.name) : c >= k;
      if (is_it && c != node_column_ && !taken[c]) found = c;
    }
    if (!found && column.kind != ColumnKind::unused)
      absent.push_back(fmt::format("'{}'", shown(column.name)));
    columns_.push_back(found.value_or(node_column_));
    if (found) taken[*found] = true;
  }
  if (!absent.empty())
    fail("{}:{}: there is no column {}, which {} has; the rows must have the same columns", table_->name(),
         header_.first_row().line, join(absent, ", "), like.name);
  std::vector<std::string> others;
  for (std::size_t c = 0; c < width && header_.present(); ++c) {
    if (!taken[c] && !is_left_out(c)) others.push_back(fmt::format("'{}'", shown(header_.names()[c])));
  }
  add_note(notes, table_->name(), "columns not used, " + like.name + " has none of these names",
           std::move(others));
  if (schema_.width() == 0) return {};
  return Features(read_rows(nodes, notes, problems));
}

Matrix FeatureTable::read_rows(const IdTable& nodes, std::vector<std::string>& notes, Problems& problems) {
  Matrix matrix(nodes.count(), schema_.width());
  std::vector<bool> has_row(static_cast<std::size_t>(nodes.count()));
  std::int64_t unseen = 0;
  Problems already_known;
  for (CsvRows rows = header_.rows(); rows.next(already_known);) {
    const auto cells = rows.cells();
    if (cells.size() != header_.first_row().width || cells[node_column_].empty()) continue;
    const IdTable::Number node = *nodes.find(cells[node_column_]);
    if (has_row[static_cast<std::size_t>(node)]) continue;
    has_row[static_cast<std::size_t>(node)] = true;
    std::span<Real> rest = matrix.row(node);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const TableColumn& column = schema_.columns[k];
      const CellKind kind = encode(column, cells[columns_[k]], rest.first(at(column.width())));
      if (kind == CellKind::wrong) problems.add(wrong_cell(column, cells[columns_[k]], rows.place()));
      if (kind == CellKind::unseen) ++unseen;
      rest = rest.subspan(at(column.width()));
    }
  }
  for (IdTable::Number u = 0; u < nodes.count(); ++u) {
    if (!has_row[static_cast<std::size_t>(u)]) encode_no_row(schema_, matrix.row(u));
  }
  if (schema_.rows < nodes.count() && !problems.any())
    notes.push_back(note_on_missing_rows(*table_, nodes.names(), has_row));
  if (unseen > 0)
    notes.push_back(
        fmt::format("{}: {} that training did not see and that no column stands for", table_->name(),
                    counted(unseen, "cell", unseen == 1 ? " has a category" : " have categories")));
  return matrix;
}

// Where they are to go beside others, `like` says which column is which.
SparseMatrix FeatureTable::read_entries(const IdTable& nodes, const Dataset* like,
                                        std::vector<std::string>& notes, Problems& problems) {
  IdTable features(table_->text().size());
  const bool named = like != nullptr && !like->feature_names.empty();
  if (named) {
    for (const std::string& name : like->feature_names) features.number(name);
  }
  const bool numbered = like != nullptr && !named;
  MatrixEntries entries;
  std::int64_t unseen = 0;
  Problems already_known;
  for (CsvRows rows = header_.rows(); rows.next(already_known);) {
    const auto cells = rows.cells();
    if (cells.size() != header_.first_row().width || cells[node_column_].empty()) continue;
    problems.collect([&] {
      const std::string_view cell = cells[feature_column_];
      std::int64_t feature = number_feature(cell, features, rows);
      if (numbered && !parse_integer(cell))
        fail("{}: feature '{}'; those of {} are numbers from 0 to {}", rows.place(), shown(cell), like->name,
             like->features.cols() - 1);
      if (numbered) feature = *parse_integer(cell);
      const Real value = layout_ == Layout::entries ? parse_feature(cells[value_column_], rows) : Real(1);
      if (like != nullptr && feature >= like->features.cols()) {
        ++unseen;
        return;
      }
      entries.rows.push_back(*nodes.find(cells[node_column_]));
      entries.columns.push_back(static_cast<std::int32_t>(feature));
      entries.values.push_back(value);
    });
  }
  if (unseen > 0)
    notes.push_back(fmt::format("{}: {} left out: {} has no such feature", table_->name(),
                                counted(unseen, "value"), like->name));
  std::int64_t width = like != nullptr ? like->features.cols() : features.count();
  if (like == nullptr && features.all_integers()) {
    width = 0;
    for (std::int32_t& column : entries.columns) {
      column = static_cast<std::int32_t>(features.integer(column));
      width = std::max<std::int64_t>(width, column + 1);
    }
  } else if (like == nullptr) {
    names_ = features.names();
  }
  return canonical(matrix_of(entries, nodes.count(), width));
}

}  // namespace heatfront
