// SPDX-License-Identifier: MIT
// What a label is, where it is not one class per node: numbers, a row of them for every labelled node,
//
//     values        quantities in the units of the data, one column or several
//     many-labels   a column per class: 1 where the node has it, 0 where it has not
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/types.h"

namespace heatfront {

enum class LabelKind { classes, values, many };

struct LabelKindEntry {
  LabelKind kind;
  std::string_view name;
  std::string_view one, several;  // what a column is called
};
std::span<const LabelKindEntry> label_kinds();
const LabelKindEntry& entry_of(LabelKind kind);
LabelKind label_kind(std::string_view name);  // Error lists them

struct Targets {
  LabelKind kind = LabelKind::classes;  // classes: there are none here, labels say it
  std::vector<std::string> names;       // of the columns: quantities, or classes
  std::vector<NodeId> nodes;            // labelled, ascending
  std::vector<double> values;           // (nodes, columns), row by row

  bool present() const { return kind != LabelKind::classes; }
  std::size_t columns() const { return names.size(); }
  std::size_t size() const { return nodes.size(); }
  std::span<const double> row(std::size_t i) const {
    return std::span(values).subspan(i * columns(), columns());
  }
  std::optional<std::size_t> place_of(NodeId u) const;  // of its row; none: it is not labelled

  void set(NodeId u, std::span<const double> row);  // in place of what it had
  void remove(NodeId u);
};

// Larger numbers would leave what can be reckoned with.
inline constexpr double kLargestTarget = 1e30;

// Error (beginning with `where`) unless nodes ascend and are there, and every row has a finite number for each column, 0 or 1 where
// they are classes.
void check(const Targets& targets, NodeId nodes, const std::string& where);

// Those of these nodes; nodes without a label are left out.
Targets targets_at(const Targets& targets, std::span<const NodeId> nodes);

// Without the rows of these places.
Targets without(const Targets& targets, const std::vector<bool>& left_out);

// How values are told to a model and what it says is told back: y = (value − centre) / scale, by column. The centre is the mean. The
// scale is the standard deviation of values, so that all columns weigh alike, and 1 where columns are classes.
struct TargetUnits {
  std::vector<double> centre, scale;
};
TargetUnits units_of(const Targets& targets);

// For drawing splits: 0 where a node is labelled, kUnknown elsewhere.
std::vector<ClassId> labelled_or_not(const Targets& targets, NodeId nodes);

}  // namespace heatfront
