// SPDX-License-Identifier: MIT
// A table of features that is in memory, column by column, as data frames have it; a row per node, in order. It is read as tables in
// files are: numbers, dates, categories and gaps (heatfront/data/table_schema.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heatfront/data/dataset.h"

namespace heatfront {

struct TextColumn {
  std::string name;
  std::vector<std::string> cells;  // as a file would have them; empty: missing
};

struct ColumnTable {
  Features features;  // none where no column says anything
  TableSchema schema;
  std::vector<std::string> notes;
};

// Learns what the columns hold. Error, with all that is wrong, where a cell does not fit its column or columns differ in length.
ColumnTable read_columns(std::span<const TextColumn> columns, const std::string& name);

// Rows for nodes that `like` does not have yet, by what was learned of its own table: columns are found by their name. Error where one
// is missing; one that is new is left out with a note.
ColumnTable read_columns_like(std::span<const TextColumn> columns, const Dataset& like,
                              const std::string& name);

}  // namespace heatfront
