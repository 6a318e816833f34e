// SPDX-License-Identifier: MIT
// Whether the first row of a table names its columns, and which column is which. It does when a cell of it is
// one of the usual names, or when a column that holds numbers in every later row begins with something else,
// or when there are three columns or more and the first has no name (so pandas writes an index).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/data/csv_table.h"

namespace heatfront {

// The names by which a column is known, in small letters without blanks, - and _: "Node ID" is "nodeid".
using ColumnNames = std::span<const std::string_view>;

inline constexpr std::string_view kNodeNames[] = {"node",     "nodeid", "id",    "name",
                                                  "nodename", "index",  "vertex"};

class CsvHeader {
 public:
  CsvHeader(const CsvTable& table, std::initializer_list<ColumnNames> usual);

  bool present() const { return !names_.empty(); }
  std::int64_t line() const { return line_; }
  std::span<const std::string> names() const { return names_; }  // as written, one a column
  std::optional<std::size_t> find(ColumnNames names) const;      // the first column so called

  // The rows that follow the header, or all of them when there is none.
  CsvRows rows() const;

  // "edges.csv: columns not used: year, colour"; empty when all are.
  std::string unused(std::span<const std::size_t> used) const;

 private:
  const CsvTable* table_;
  std::int64_t line_ = 0;
  std::vector<std::string> names_;
};

// "3 columns, but line 1 has 4", unless the row has as many as the row of `line` had.
void require_width(const CsvRows& rows, std::size_t width, std::int64_t line);

}  // namespace heatfront
