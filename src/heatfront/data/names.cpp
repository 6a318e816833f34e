// SPDX-License-Identifier: MIT
#include "heatfront/data/names.h"

#include <algorithm>
#include <optional>
#include <span>

#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

constexpr std::size_t kMostListed = 40;

bool any_number(std::span<const std::string> names) {
  return std::ranges::any_of(names, [](const std::string& name) { return parse_integer(name).has_value(); });
}

// By name; by number only where that cannot be meant as a name.
std::optional<std::int32_t> find(std::span<const std::string> names, std::int64_t count,
                                 std::string_view text) {
  if (const auto name = std::ranges::find(names, text); name != names.end())
    return static_cast<std::int32_t>(name - names.begin());
  if (any_number(names)) return std::nullopt;
  const auto number = parse_integer(text);
  if (!number || *number < 0 || *number >= count) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

}  // namespace

NodeId find_node(const Dataset& dataset, std::string_view text) {
  if (const auto node = find(dataset.node_names, dataset.nodes(), text)) return *node;
  const std::string meant = did_you_mean(text, dataset.node_names);
  if (any_number(dataset.node_names)) {
    fail("{}: there is no node {}{}; nodes have names like {}", dataset.name, in_quotes(text), meant,
         in_quotes(dataset.node_names[0]));
  }
  const std::string named =
      dataset.node_names.empty() ? "" : fmt::format(", or names like {}", in_quotes(dataset.node_names[0]));
  fail("{}: there is no node {}{}; nodes are 0 to {}{}", dataset.name, in_quotes(text), meant,
       dataset.nodes() - 1, named);
}

std::string listed_classes(std::span<const std::string> names) {
  if (names.empty()) return "none";
  const auto listed = names.first(std::min(kMostListed, names.size()));
  return join(listed, ", ") + (listed.size() < names.size() ? ", …" : "");
}

ClassId find_class(const Dataset& dataset, std::string_view text) {
  if (const auto label = find(dataset.class_names, dataset.classes(), text)) return *label;
  fail("{}: there is no class {}{}; the classes are {}", dataset.name, in_quotes(text),
       did_you_mean(text, dataset.class_names), listed_classes(dataset.class_names));
}

void check_node(const Dataset& dataset, NodeId u) {
  if (u < 0 || u >= dataset.nodes())
    fail("{}: there is no node {}; nodes are 0 to {}", dataset.name, u, dataset.nodes() - 1);
}

const std::string& class_name(const Dataset& dataset, ClassId label) {
  if (label < 0 || label >= dataset.classes())
    fail("{}: there is no class {}; classes are 0 to {}", dataset.name, label, dataset.classes() - 1);
  return dataset.class_names[at(label)];
}

}  // namespace heatfront
