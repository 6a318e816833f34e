// SPDX-License-Identifier: MIT
// Features as a table: a row a node (node,f1,f2,…), or a row an entry (node,feature,value; node,feature where
// every value is 1), in which what is not listed is zero. The table is walked twice: first for its nodes,
// then, when all files have been asked for theirs, for the values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/data/dataset.h"
#include "heatfront_io/tables/csv_header.h"
#include "heatfront_io/tables/csv_table.h"
#include "heatfront_io/tables/id_table.h"

namespace heatfront {

class FeatureTable {
 public:
  // Finds the layout, holds every row to the width of the first, numbers the nodes in `nodes`; keeps `table`.
  FeatureTable(const CsvTable& table, IdTable& nodes, std::vector<std::string>& notes);

  Features read(const IdTable& nodes) const;

 private:
  enum class Layout { rows, entries, entries_of_one };

  void find_layout(std::vector<std::string>& notes);
  void number_nodes(IdTable& nodes);
  Matrix read_rows(const IdTable& nodes) const;
  SparseMatrix read_entries(const IdTable& nodes) const;
  void require_row_of_every_node(const IdTable& nodes) const;

  const CsvTable* table_;
  CsvHeader header_;
  Layout layout_ = Layout::rows;
  std::size_t node_column_ = 0;
  std::size_t feature_column_ = 1;
  std::size_t value_column_ = 2;
  IdTable::Number nodes_with_row_ = 0;
};

// The number in a cell; throws unless it is finite.
Real parse_feature(std::string_view cell, const CsvRows& rows);

}  // namespace heatfront
