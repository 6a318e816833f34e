// SPDX-License-Identifier: MIT
// Whether the first row of a table names its columns, and which column is which. It does when a cell of it is
// one of the usual names; or when a column that holds numbers in every later row begins with something else,
// and no cell of the first row is a number (but node,0,1,2,… is a header); or when there are three columns or
// more and the first has no name, as pandas writes an index.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront_io/tables/csv_table.h"

namespace heatfront {

// The names by which a column is known, in small letters without blanks, - and _: "Node ID" is "nodeid".
using ColumnNames = std::span<const std::string_view>;

inline constexpr std::string_view kNodeNames[] = {"node",     "nodeid", "id",    "name",
                                                  "nodename", "index",  "vertex"};
inline constexpr std::string_view kLabelNames[] = {"label", "class",     "category", "target",
                                                   "y",     "community", "classname"};

// What later rows are held to.
struct FirstRow {
  std::size_t width = 0;
  std::int64_t line = 0;
};

// Throws "edges.csv:17: 3 columns, but line 1 has 4" unless the row at hand is as wide.
void require_width(const CsvRows& rows, const FirstRow& first);

class CsvHeader {
 public:
  CsvHeader(const CsvTable& table, std::initializer_list<ColumnNames> usual);

  bool present() const { return !names_.empty(); }
  const FirstRow& first_row() const { return first_; }           // the header, or the first of the others
  std::span<const std::string> names() const { return names_; }  // as written, one a column
  std::optional<std::size_t> find(ColumnNames names) const;      // by the first name that there is

  // The rows that follow the header, or all of them when there is none.
  CsvRows rows() const;

  // "edges.csv: columns not used: year, colour"; empty when all are.
  std::string unused(std::span<const std::size_t> used) const;

 private:
  const CsvTable* table_;
  FirstRow first_;
  std::vector<std::string> names_;
};

}  // namespace heatfront
