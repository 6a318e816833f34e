// SPDX-License-Identifier: MIT
// The tables of a data set: edges, features, labels, classes and splits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"
#include "heatfront/graph/build.h"
#include "heatfront_io/tables/csv_table.h"
#include "heatfront_io/tables/id_table.h"

namespace heatfront {

// source,target[,weight]: one edge per row. A row without a target declares a node that may stay alone. Numbers the
// nodes in `nodes`; arcs.nodes is left for the caller, who may know more of them.
ArcList read_edge_table(const CsvTable& table, IdTable& nodes, std::vector<std::string>& notes);

// Above this a feature's index is taken for a mistake.
inline constexpr std::int64_t kLargestFeature = 100'000'000;

// Features, one row per node (node,f1,f2,…) or one per entry (node,feature,value; node,feature where every value is 1), in
// which what is not listed is zero. The table is walked twice: first for its nodes, then, when all files have been
// asked for theirs, for the values.
class FeatureTable {
 public:
  // Finds the layout, holds every row to the width of the first, numbers the nodes in `nodes`; keeps `table`.
  FeatureTable(const CsvTable& table, IdTable& nodes, std::vector<std::string>& notes);

  Features read(const IdTable& nodes);

  // Of the columns, after read(); empty where they have none.
  const std::vector<std::string>& names() const { return names_; }

 private:
  enum class Layout { rows, entries, entries_of_one };

  void find_layout(std::vector<std::string>& notes);
  void number_nodes(IdTable& nodes);
  Matrix read_rows(const IdTable& nodes);
  SparseMatrix read_entries(const IdTable& nodes);
  void require_row_of_every_node(const IdTable& nodes) const;

  const CsvTable* table_;
  CsvHeader header_;
  Layout layout_ = Layout::rows;
  std::size_t node_column_ = 0;
  std::size_t feature_column_ = 1;
  std::size_t value_column_ = 2;
  IdTable::Number nodes_with_row_ = 0;
  std::vector<std::string> names_;
};

// The number in a cell; throws unless it is finite.
Real parse_feature(std::string_view cell, const CsvRows& rows);

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

// `class_names` from read_class_table, or none: then those met, sorted.
// `absent` is what a message says of a node that is not among `nodes`, `advice` what it adds where a class is not among those.
Labels read_label_table(const CsvTable& table, const IdTable& nodes, std::vector<std::string> class_names,
                        std::vector<std::string>& notes, std::string_view absent = kInNoTable,
                        std::string_view advice = {});
Labels read_label_table(const CsvTable& table, const CsvHeader& header, NodeColumns columns,
                        const IdTable& nodes, std::vector<std::string> class_names,
                        std::vector<std::string>& notes, std::string_view absent = kInNoTable,
                        std::string_view advice = {});

// part: train, validation (valid, val), test, or nothing.
Split read_split_table(const CsvTable& table, const IdTable& nodes, std::vector<std::string>& notes);

// Are two names the same but for upper and lower case, or for one letter left out, put in, changed or swapped with the next?
// Names with digits in them, and such of three letters or fewer, only in the first way.
bool nearly_same(std::string_view a, std::string_view b);

// A sentence for each class of one or two labels whose name is nearly that of one with more, and for each whose name is a word
// for what is missing, as NA.
std::vector<std::string> likely_typos(std::span<const std::string> class_names,
                                      std::span<const ClassId> labels);

}  // namespace heatfront
