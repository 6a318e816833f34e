// SPDX-License-Identifier: MIT
// The tables of a data set: edges, features, labels, classes and splits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"
#include "heatfront_io/tables/arc_sink.h"
#include "heatfront_io/tables/column_choice.h"
#include "heatfront_io/tables/csv_table.h"
#include "heatfront_io/tables/id_table.h"
#include "heatfront_io/tables/problems.h"

namespace heatfront {

// source,target[,weight]: one edge per row. A row without a target declares a node that may stay alone. Numbers the
// nodes in `nodes`.
void read_edge_table(const CsvTable& table, const ColumnChoice& choice, IdTable& nodes, ArcSink& arcs,
                     std::vector<std::string>& notes, Problems& problems);

// Whether a first row of two words is no edge: neither is met again there, nor in any of the other tables. `choice` then knows it for a header.
void find_edge_header(const CsvTable& edges, std::span<const CsvTable* const> others, ColumnChoice& choice,
                      std::vector<std::string>& notes);

// Above this a feature's index is taken for a mistake.
inline constexpr std::int64_t kLargestFeature = 100'000'000;

// Features, one row per node (node,f1,f2,…) or one per entry (node,feature,value; node,feature where every value is 1), in
// which what is not listed is zero. Rows may have numbers, dates, categories and gaps (heatfront/data/table_schema.h).
// The table is walked several times: for its nodes and what is in its columns, and, when all files have been asked for
// their nodes, for the values.
class FeatureTable {
 public:
  // Finds the layout, holds every row to the width of the first, numbers the nodes in `nodes`, learns what the columns hold;
  // keeps `table` and `choice`.
  FeatureTable(const CsvTable& table, const ColumnChoice& choice, IdTable& nodes,
               std::vector<std::string>& notes, Problems& problems);

  Features read(const IdTable& nodes, std::vector<std::string>& notes, Problems& problems);

  // The same by what was learned of an earlier table, `like`, whose features these rows are to go beside.
  Features read_like(const Dataset& like, const IdTable& nodes, std::vector<std::string>& notes,
                     Problems& problems);

  // After read(); of the columns of the features, empty where they have no names.
  const std::vector<std::string>& names() const { return names_; }
  const TableSchema& schema() const { return schema_; }

  const CsvHeader& header() const { return header_; }
  std::size_t node_column() const { return node_column_; }

 private:
  enum class Layout { rows, entries, entries_of_one };

  void find_layout(std::vector<std::string>& notes);
  void number_nodes(IdTable& nodes, std::vector<std::string>& notes, Problems& problems);
  bool is_same_row(CsvRows::Place one, std::span<const std::string_view> cells) const;
  void learn_columns();
  Matrix read_rows(const IdTable& nodes, std::vector<std::string>& notes, Problems& problems);
  SparseMatrix read_entries(const IdTable& nodes, const Dataset* like, std::vector<std::string>& notes,
                            Problems& problems);
  bool is_left_out(std::size_t column) const;
  std::string column_name(std::size_t column) const;

  const CsvTable* table_;
  const ColumnChoice* choice_;
  CsvHeader header_;
  Layout layout_ = Layout::rows;
  std::size_t node_column_ = 0;
  std::size_t feature_column_ = 1;
  std::size_t value_column_ = 2;
  std::vector<std::int64_t> repeats_;  // lines of rows that repeat another one, ascending
  std::vector<std::size_t> columns_;   // of the table, one per column of the schema
  TableSchema schema_;
  std::vector<std::string> names_;
};

// Whether a table with these columns beside the node would be taken for one of entries.
bool reads_as_entries(std::span<const std::string> names);

// What is wrong with a cell that a column cannot hold.
std::string wrong_cell(const TableColumn& column, std::string_view cell, const std::string& place);

// What a user should know of how the columns were read: categories, dates, gaps, columns that say nothing.
void note_columns(const TableSchema& schema, const std::string& table, std::vector<std::string>& notes);

// How later rows are read: as the table of a data set was, or, where its features came from none, as a number per column.
TableSchema schema_of(const Dataset& dataset);

// The number in a cell; throws unless it is finite.
Real parse_feature(std::string_view cell, const CsvRows& rows);

// What the header of a table says that it holds: a source and a target; a node and a label; a node and more.
enum class TableContent { edges, features, labels, other };
struct HeldByTable {
  TableContent content = TableContent::other;
  std::string label;  // of labels: the column that has them
  bool lists_others =
      false;  // likewise: it has more columns, and rows without a label, as a table of all nodes has
};
HeldByTable held_by(const CsvTable& table, const ColumnChoice& choice);

// Class ids follow the names in this order: by value when all are integers (1, 2, 10), else by their bytes.
void sort_classes(std::vector<std::string>& names);

// Whether a label says that the class is not known: nothing, ? or −1.
bool is_unknown_label(std::string_view label);

// One name per row. Gives the classes another order than sort_classes, and room to those without a member.
std::vector<std::string> read_class_table(const std::filesystem::path& path);

// The two columns that matter of a table in which every row says something of a node.
struct NodeColumns {
  std::size_t node = 0;
  std::size_t value = 1;
};

inline constexpr std::string_view kInNoTable = "is in neither edges nor features";

// Tables that say something of nodes named elsewhere: node,label and node,part.
struct Labels {
  std::vector<ClassId> labels;  // one per node
  std::vector<std::string> class_names;
};

// Nodes that are in no other table stand alone. A first row of words that names no node is taken for a header where all others name
// one, or most of them and none of its cells is met again.
void number_lone_nodes(const CsvTable& table, CsvHeader& header, std::size_t node_column, IdTable& nodes,
                       std::vector<std::string>& notes);

// A table of labels with its header read: which columns are which. Keeps `table`.
class LabelTable {
 public:
  LabelTable(const CsvTable& table, const ColumnChoice& choice, std::vector<std::string>& notes);
  LabelTable(const CsvTable& table, CsvHeader header, NodeColumns columns)
      : table_(&table), header_(std::move(header)), columns_(columns) {}

  void number_nodes(IdTable& nodes, std::vector<std::string>& notes);

  // `class_names` from read_class_table, or none: then those met, sorted.
  // `absent` is what a message says of a node that is not among `nodes`, `advice` what it adds where a class is not among those.
  Labels read(const IdTable& nodes, std::vector<std::string> class_names, std::vector<std::string>& notes,
              Problems& problems, std::string_view absent = kInNoTable, std::string_view advice = {}) const;

 private:
  const CsvTable* table_;
  CsvHeader header_;
  NodeColumns columns_;
};

// part: train, validation (valid, val), test, or nothing.
Split read_split_table(const CsvTable& table, const ColumnChoice& choice, const IdTable& nodes,
                       std::vector<std::string>& notes, Problems& problems);

// Are two names the same but for upper and lower case, or for one letter left out, put in, changed or swapped with the next?
// Names with digits in them, and such of three letters or fewer, only in the first way.
bool nearly_same(std::string_view a, std::string_view b);

// "'hanna' (did you mean 'hana'?), 'zoe', …": the first five ids, each with the first of `names` that is nearly the same.
std::string listed_ids(std::span<const std::string> ids, std::span<const std::string> names);

// One sentence on names of nodes that differ only in upper and lower case; none where there are none.
std::vector<std::string> nodes_alike(std::span<const std::string> names);

// A sentence for each class whose name differs from another only in upper and lower case; for each of one or two labels whose name
// is nearly that of one with as many or more; and for each whose name is a word for what is missing, as NA.
std::vector<std::string> likely_typos(std::span<const std::string> class_names,
                                      std::span<const ClassId> labels);

}  // namespace heatfront
