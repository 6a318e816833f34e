// SPDX-License-Identifier: MIT
// Labels that are values, or several per node, as tables: node,VALUE[,VALUE…] in and out; node,label with a|b, or a line for each.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "heatfront/data/dataset.h"
#include "heatfront/models/targets/target_predictor.h"

namespace heatfront {

struct ColumnChoice;
class CsvTable;
class IdTable;
class Problems;

// Values: every column but the node's is one, by its name in the header. A row whose cells are all missing says nothing; one with some of
// them is an Error. Decimal commas where semicolons separate cells. Many labels: as read_label_table, where a cell has any number of classes with | between them and a node any number of
// rows; an empty cell says nothing, and "none" that it has none of the classes.
// `names`: the columns that there have to be, or none.
Targets read_target_table(const CsvTable& table, const ColumnChoice& choice, LabelKind kind,
                          const IdTable& nodes, std::vector<std::string> names,
                          std::vector<std::string>& notes, const std::string& absent, Problems& problems);

// Before that: nodes that are in no other table stand alone. Where the first row turns out to be a header, `choice` knows it from then on.
void number_target_nodes(const CsvTable& table, LabelKind kind, ColumnChoice& choice, IdTable& nodes,
                         std::vector<std::string>& notes);

// The same for nodes and columns of a data set that is there.
Targets read_target_file(const std::filesystem::path& path, const Dataset& dataset);

// One row, as a user types it: "12.5", "12.5,3", "a|b".
std::vector<double> parse_target(std::string_view text, const Targets& like, const std::string& where);

// "a|b" of a row of 1 and 0; "none".
std::string classes_text(const Targets& targets, std::span<const double> row);

// The same of the classes that a node is said to have: by the thresholds, or as it was told.
std::string said_classes(const Targets& targets, const TargetAnswer& answer,
                         std::span<const double> thresholds, NodeId u);

// What is written for a node that is known to have none of the classes.
inline constexpr std::string_view kNoClass = "none";

// Do labels that are given as classes look like quantities: many different numbers, most of them with a fraction, or once?
bool look_like_values(std::span<const std::string> class_names, std::span<const ClassId> labels);

// A row per node: node, then value, low and high of every column, and status; or node, the classes by their thresholds, status, and the score
// of every class. `radius`: of the intervals, by column; without them: no low and high. From node `first` on; `reasons`: a column more, one
// for each of these nodes.
void write_target_predictions(const Dataset& dataset, const TargetAnswer& answer,
                              std::span<const double> radius, std::span<const double> thresholds,
                              const std::filesystem::path& path, NodeId first = 0,
                              std::span<const std::string> reasons = {});

}  // namespace heatfront
