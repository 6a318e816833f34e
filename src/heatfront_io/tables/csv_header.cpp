// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/csv_header.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace {

std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

bool contains(ColumnNames names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// One letter may as well be a node: u,v is a header, w,x is not.
bool has_usual_name(std::span<const std::string> row, std::span<const ColumnNames> usual) {
  const auto known = [&](const std::string& cell) {
    return std::ranges::any_of(usual, [&](ColumnNames names) { return contains(names, folded(cell)); });
  };
  return (row.size() > 1 && std::ranges::all_of(row, known)) ||
         std::ranges::any_of(row,
                             [&](const std::string& cell) { return folded(cell).size() > 1 && known(cell); });
}

bool says_nothing(std::string_view cell) { return cell.empty() || cell == "?"; }

// The numbers that pandas puts where columns have no names: 0,1,2,…
bool counts_columns(std::span<const Real> numbers) {
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    if (numbers[k] != numbers[0] + static_cast<Real>(k)) return false;
  }
  return numbers.size() > 1;
}

// Does a column begin with text and go on with numbers alone? Stops where no column can any more.
bool names_a_column_of_numbers(std::span<const std::string> first, CsvRows later) {
  std::vector<std::size_t> candidates;
  std::vector<Real> numbers;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (const auto number = parse_real(first[j])) {
      numbers.push_back(*number);
    } else if (!says_nothing(first[j])) {
      candidates.push_back(j);
    }
  }
  if (!numbers.empty() && !counts_columns(numbers)) return false;
  std::vector<bool> numeric(first.size());
  while (!candidates.empty() && later.next()) {
    const auto cells = later.cells();
    std::erase_if(candidates, [&](std::size_t j) {
      if (j >= cells.size() || says_nothing(cells[j])) return false;
      numeric[j] = true;
      return !parse_real(cells[j]);
    });
  }
  return std::ranges::any_of(candidates, [&](std::size_t j) { return numeric[j]; });
}

}  // namespace

CsvHeader::CsvHeader(const CsvTable& table, std::initializer_list<ColumnNames> usual) : table_(&table) {
  CsvRows rows = table.rows();
  if (!rows.next()) fail("{}: no rows; the table is empty", table.name());
  first_ = {.width = rows.cells().size(), .line = rows.line()};
  std::vector<std::string> first(rows.cells().begin(), rows.cells().end());
  const bool unnamed_index = first.size() > 2 && first[0].empty();
  if (unnamed_index || has_usual_name(first, {usual.begin(), usual.size()}) ||
      names_a_column_of_numbers(first, rows)) {
    names_ = std::move(first);
  }
}

std::optional<std::size_t> CsvHeader::find(ColumnNames names) const {
  for (const std::string_view name : names) {
    const auto column = std::ranges::find(names_, name, folded);
    if (column != names_.end()) return static_cast<std::size_t>(column - names_.begin());
  }
  return std::nullopt;
}

CsvRows CsvHeader::rows() const {
  CsvRows rows = table_->rows();
  if (present()) rows.next();
  return rows;
}

std::string CsvHeader::unused(std::span<const std::size_t> used) const {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < names_.size(); ++j) {
    if (std::ranges::find(used, j) != used.end()) continue;
    names.push_back(names_[j].empty() ? "(unnamed)" : shown(names_[j]));
  }
  if (names.empty()) return "";
  return fmt::format("{}: columns not used: {}", table_->name(), join(names, ", "));
}

void require_width(const CsvRows& rows, const FirstRow& first) {
  if (rows.cells().size() == first.width) return;
  fail("{}: {}, but line {} has {}", rows.place(), counted(std::ssize(rows.cells()), "column"), first.line,
       first.width);
}

}  // namespace heatfront
