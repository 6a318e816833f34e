// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/column_table.h"

#include <algorithm>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace {

void check_lengths(std::span<const TextColumn> columns, const std::string& name) {
  for (const TextColumn& column : columns) {
    if (column.cells.size() != columns.front().cells.size())
      fail("{}: column '{}' has {}, column '{}' has {}; they must have a row per node each", name,
           shown(column.name), counted(std::ssize(column.cells), "row"), shown(columns.front().name),
           counted(std::ssize(columns.front().cells), "row"));
  }
}

TableColumn learned(const TextColumn& column) {
  ColumnLearner learner(column.name, false);
  for (const std::string& cell : column.cells) learner.add(cell);
  if (learner.is_text())
    for (const std::string& cell : column.cells) learner.count(cell);
  return learner.column();
}

// The k-th column of the schema from the k-th of these; null: it says nothing, and is nowhere needed.
Matrix encoded(const TableSchema& schema, std::span<const TextColumn* const> columns, std::int64_t rows,
               const std::string& name, std::int64_t& unseen) {
  Matrix matrix(rows, schema.width());
  Problems problems;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::span<Real> rest = matrix.row(row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] == nullptr) continue;
      const TableColumn& column = schema.columns[k];
      const std::string& cell = columns[k]->cells[at(row)];
      const CellKind kind = encode(column, cell, rest.first(at(column.width())));
      if (kind == CellKind::wrong)
        problems.add(wrong_cell(column, cell, fmt::format("{}, row {}", name, row)));
      if (kind == CellKind::unseen) ++unseen;
      rest = rest.subspan(at(column.width()));
    }
  }
  problems.throw_if_any();
  return matrix;
}

}  // namespace

ColumnTable read_columns(std::span<const TextColumn> columns, const std::string& name) {
  ColumnTable table;
  if (columns.empty()) return table;
  check_lengths(columns, name);
  const auto rows = std::ssize(columns.front().cells);
  std::vector<const TextColumn*> sources;
  for (const TextColumn& column : columns) {
    table.schema.columns.push_back(learned(column));
    sources.push_back(&column);
  }
  table.schema.rows = rows;
  note_columns(table.schema, name, table.notes);
  std::int64_t unseen = 0;
  if (table.schema.width() > 0) table.features = Features(encoded(table.schema, sources, rows, name, unseen));
  return table;
}

ColumnTable read_columns_like(std::span<const TextColumn> columns, const Dataset& like,
                              const std::string& name) {
  check_lengths(columns, name);
  ColumnTable table;
  table.schema = schema_of(like);
  std::vector<const TextColumn*> sources;
  std::vector<std::string> absent, others;
  for (const TableColumn& column : table.schema.columns) {
    const auto found = std::ranges::find(columns, column.name, &TextColumn::name);
    if (found == columns.end() && column.kind != ColumnKind::unused)
      absent.push_back(fmt::format("'{}'", shown(column.name)));
    sources.push_back(found == columns.end() ? nullptr : &*found);
  }
  if (!absent.empty())
    fail("{}: there is no column {}, which {} has; the rows must have the same columns", name,
         join(absent, ", "), like.name);
  for (const TextColumn& column : columns) {
    if (std::ranges::find(sources, &column) == sources.end())
      others.push_back(fmt::format("'{}'", shown(column.name)));
  }
  if (!others.empty())
    table.notes.push_back(fmt::format("{}: columns not used, {} has none of these names: {}", name, like.name,
                                      join(others, ", ")));
  std::int64_t unseen = 0;
  const std::int64_t rows = columns.empty() ? 0 : std::ssize(columns.front().cells);
  table.features = Features(encoded(table.schema, sources, rows, name, unseen));
  if (unseen > 0)
    table.notes.push_back(
        fmt::format("{}: {} that training did not see and that no column stands for", name,
                    counted(unseen, "cell", unseen == 1 ? " has a category" : " have categories")));
  return table;
}

}  // namespace heatfront
