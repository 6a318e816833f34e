// SPDX-License-Identifier: MIT
#include "heatfront/data/targets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "heatfront/base/checks.h"
#include "heatfront/base/find_named.h"

namespace heatfront {
namespace {

constexpr std::array<LabelKindEntry, 3> kLabelKinds = {
    {{LabelKind::classes, "classes", "class", "classes"},
     {LabelKind::values, "values", "value", "values"},
     {LabelKind::many, "many-labels", "class", "classes"}}};

}  // namespace

std::span<const LabelKindEntry> label_kinds() { return kLabelKinds; }

const LabelKindEntry& entry_of(LabelKind kind) {
  return *std::ranges::find(kLabelKinds, kind, &LabelKindEntry::kind);
}

LabelKind label_kind(std::string_view name) { return find_named(label_kinds(), name, "kind of labels").kind; }

std::optional<std::size_t> Targets::place_of(NodeId u) const {
  const auto found = std::ranges::lower_bound(nodes, u);
  if (found == nodes.end() || *found != u) return std::nullopt;
  return static_cast<std::size_t>(found - nodes.begin());
}

void Targets::set(NodeId u, std::span<const double> row) {
  const auto place = std::ranges::lower_bound(nodes, u);
  const auto first = values.begin() + (place - nodes.begin()) * static_cast<std::ptrdiff_t>(columns());
  if (place != nodes.end() && *place == u) {
    std::ranges::copy(row, first);
    return;
  }
  values.insert(first, row.begin(), row.end());
  nodes.insert(place, u);
}

void Targets::remove(NodeId u) {
  const auto place = place_of(u);
  if (!place) return;
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(*place * columns());
  values.erase(first, first + static_cast<std::ptrdiff_t>(columns()));
  nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(*place));
}

void check(const Targets& targets, NodeId nodes, const std::string& where) {
  if (!targets.present()) return;
  if (targets.names.empty())
    fail("{}: labels without a column; {} need one or more", where, entry_of(targets.kind).several);
  require_ids(where + ": labelled nodes", targets.nodes, 0, nodes);
  for (std::size_t i = 1; i < targets.nodes.size(); ++i) {
    if (targets.nodes[i] <= targets.nodes[i - 1])
      fail("{}: labelled nodes: {} comes after {}; they must ascend, each of them once", where,
           targets.nodes[i], targets.nodes[i - 1]);
  }
  require_count(where + ": values of labels", std::ssize(targets.values),
                std::ssize(targets.nodes) * std::ssize(targets.names),
                "one for each column of every labelled node");
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (double value : targets.row(i)) {
      if (!(std::abs(value) <= kLargestTarget))
        fail("{}: node {} has the value {}; it must be a finite number of at most {:.0e} in size", where,
             targets.nodes[i], value, kLargestTarget);
      if (targets.kind == LabelKind::many && value != 0 && value != 1)
        fail("{}: node {} has {} of a class; it must be 1 or 0", where, targets.nodes[i], value);
    }
  }
}

Targets targets_at(const Targets& targets, std::span<const NodeId> nodes) {
  Targets result{.kind = targets.kind, .names = targets.names};
  std::vector<NodeId> ascending(nodes.begin(), nodes.end());
  std::ranges::sort(ascending);
  for (NodeId u : ascending) {
    const auto place = targets.place_of(u);
    if (!place) continue;
    result.nodes.push_back(u);
    std::ranges::copy(targets.row(*place), std::back_inserter(result.values));
  }
  return result;
}

Targets without(const Targets& targets, const std::vector<bool>& left_out) {
  std::vector<NodeId> others;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (!left_out[i]) others.push_back(targets.nodes[i]);
  return targets_at(targets, others);
}

TargetUnits units_of(const Targets& targets) {
  TargetUnits units{.centre = std::vector<double>(targets.columns()),
                    .scale = std::vector<double>(targets.columns(), 1.0)};
  const auto count = static_cast<double>(std::max<std::size_t>(1, targets.size()));
  for (std::size_t c = 0; c < targets.columns(); ++c) {
    for (std::size_t i = 0; i < targets.size(); ++i) units.centre[c] += targets.row(i)[c] / count;
    if (targets.kind == LabelKind::many) continue;
    double square = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const double gap = targets.row(i)[c] - units.centre[c];
      square += gap * gap / count;
    }
    const double deviation = std::sqrt(square);
    // Equal values differ from their mean by rounding alone.
    if (deviation > 1e-12 * std::abs(units.centre[c])) units.scale[c] = deviation;
  }
  return units;
}

std::vector<ClassId> labelled_or_not(const Targets& targets, NodeId nodes) {
  std::vector<ClassId> labels(at(nodes), kUnknown);
  for (NodeId u : targets.nodes) labels[at(u)] = 0;
  return labels;
}

}  // namespace heatfront
