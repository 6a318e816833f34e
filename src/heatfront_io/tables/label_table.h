// SPDX-License-Identifier: MIT
// Tables that say something of nodes named elsewhere: node,label and node,part.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/data/split.h"
#include "heatfront_io/tables/csv_header.h"
#include "heatfront_io/tables/csv_table.h"
#include "heatfront_io/tables/id_table.h"

namespace heatfront {

// Class ids follow the names in this order: by value when all are integers (1, 2, 10), else by their bytes.
void sort_classes(std::vector<std::string>& names);

// Whether a label says that the class is not known: nothing, ? or −1.
bool is_unknown_label(std::string_view label);

// One name a row. Gives the classes another order than sort_classes, and room to those without a member.
std::vector<std::string> read_class_table(const std::filesystem::path& path);

// The two columns that matter of a table in which every row says something of a node.
struct NodeColumns {
  std::size_t node = 0;
  std::size_t value = 1;
};

inline constexpr std::string_view kInNoTable = "is in neither edges nor features";

struct Labels {
  std::vector<ClassId> labels;  // one a node
  std::vector<std::string> class_names;
};

// `class_names` from read_class_table, or none: then those met, sorted.
// `absent` is what a message says of a node that is not among `nodes`.
Labels read_label_table(const CsvTable& table, const IdTable& nodes, std::vector<std::string> class_names,
                        std::vector<std::string>& notes, std::string_view absent = kInNoTable);
Labels read_label_table(const CsvTable& table, const CsvHeader& header, NodeColumns columns,
                        const IdTable& nodes, std::vector<std::string> class_names,
                        std::vector<std::string>& notes, std::string_view absent = kInNoTable);

// part: train, validation (valid, val), test, or nothing.
Split read_split_table(const CsvTable& table, const IdTable& nodes, std::vector<std::string>& notes);

}  // namespace heatfront
