// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/target_arrays.h"

#include <cmath>
#include <string>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/data/dataset.h"

namespace heatfront {
namespace {

constexpr std::string_view kKindArray = "label_kind";

std::string with_prefix(std::string_view prefix, std::string_view name) {
  return std::string(prefix) + std::string(name);
}

}  // namespace

bool has_targets(const NpzReader& npz) { return npz.has(kKindArray); }

Targets take_targets(const NpzReader& npz, std::string_view prefix) {
  for (std::string_view name : {"kind", "columns", "nodes", "values"}) {
    if (!npz.has(with_prefix(prefix, name)))
      fail("{}: array '{}{}' is missing; labels need kind, columns, nodes and values", npz.where(), prefix,
           name);
  }
  const std::vector<std::string> kind = to_strings(npz.read(with_prefix(prefix, "kind")));
  if (kind.size() != 1) fail("{}: '{}kind' must be one text", npz.where(), prefix);
  return {.kind = label_kind(kind.front()),
          .names = to_strings(npz.read(with_prefix(prefix, "columns"))),
          .nodes = to_int32(npz.read(with_prefix(prefix, "nodes"))),
          .values = to_doubles(npz.read(with_prefix(prefix, "values")))};
}

void add_targets(NpzWriter& npz, const Targets& targets, std::string_view prefix) {
  npz.add(with_prefix(prefix, "kind"), std::vector<std::string>{std::string(entry_of(targets.kind).name)});
  npz.add(with_prefix(prefix, "columns"), targets.names);
  npz.add(with_prefix(prefix, "nodes"), std::span(targets.nodes));
  npz.add(with_prefix(prefix, "values"), std::span(targets.values),
          {std::ssize(targets.nodes), std::ssize(targets.names)});
}

std::optional<Targets> take_number_labels(const NpzReader& npz, LabelKind kind) {
  const std::string name = npz.first_of({"labels", "node_labels", "y", "node_label"});
  if (name.empty()) return std::nullopt;
  const NpyArray array = npz.read(name);
  const auto shape = array.shape();
  if (shape.empty() || shape.size() > 2)
    fail("{} has shape ({}); it must be one row per node", array.where(), join(shape, ", "));
  const auto columns = static_cast<std::size_t>(shape.size() == 2 ? shape[1] : 1);
  const std::vector<double> numbers = to_doubles(array);
  Targets targets{.kind = kind};
  if (npz.has("class_names")) targets.names = to_strings(npz.read("class_names"));
  if (targets.names.size() != columns)
    targets.names = columns == 1 ? std::vector<std::string>{"value"}
                                 : numbered_names(std::ssize(numbers) > 0 ? shape[1] : 0);
  for (std::size_t u = 0; columns > 0 && u < numbers.size() / columns; ++u) {
    const auto row = std::span(numbers).subspan(u * columns, columns);
    std::size_t unknown = 0;
    for (double value : row) unknown += std::isnan(value);
    if (unknown == columns) continue;
    if (unknown > 0)
      fail("{}: row {} has {} of {} values; give all of them, or nan for all", array.where(), u,
           columns - unknown, columns);
    targets.nodes.push_back(static_cast<NodeId>(u));
    targets.values.insert(targets.values.end(), row.begin(), row.end());
  }
  return targets;
}

}  // namespace heatfront
