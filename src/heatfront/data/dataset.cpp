// SPDX-License-Identifier: MIT
#include "heatfront/data/dataset.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>

#include "heatfront/base/checks.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/fingerprint.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

std::string fingerprint_of(const Features& features) {
  Fingerprint print;
  print.add(features.rows()).add(features.cols());
  if (const SparseMatrix* sparse = features.sparse()) {
    print.add(sparse->offsets).add(sparse->columns).add(sparse->values);
  } else if (const Matrix* dense = features.dense()) {
    for (std::int64_t i = 0; i < dense->rows(); ++i) print.add(dense->row(i));
  }
  return print.hex();
}

std::string labels_print(const Dataset& dataset) {
  const Targets& targets = dataset.targets;
  if (!targets.present()) return Fingerprint().add(dataset.labels).hex();
  std::vector<std::int64_t> bits;
  for (double value : targets.values) bits.push_back(std::bit_cast<std::int64_t>(value));
  return Fingerprint().add(join(targets.names, "\n")).add(targets.nodes).add(bits).hex();
}

void check_size(std::span<const Real> values, const std::string& where, const char* what, std::int64_t row) {
  const auto bad = std::ranges::find_if_not(values, [](Real x) { return std::abs(x) <= kLargestNumber; });
  if (bad == values.end()) return;
  if (!std::isfinite(*bad))
    fail("{}: {} of node {} holds {}; every value must be a finite number", where, what, row, *bad);
  fail("{}: {} of node {} holds {}; the largest size is 1e30: give them in a larger unit", where, what, row,
       *bad);
}

void check_features(const Features& features, NodeId nodes, const std::string& where) {
  if (!features.present()) return;
  if (features.rows() != nodes) {
    fail("{}: features have {} rows, but there are {} nodes; one row per node is needed", where,
         features.rows(), nodes);
  }
  for (std::int64_t i = 0; i < nodes; ++i) {
    const auto row = features.sparse() ? features.sparse()->row_values(i) : features.dense()->row(i);
    check_size(row, where, "feature row", i);
  }
}

}  // namespace

Features::Features(SparseMatrix matrix) {
  heatfront::check(matrix);
  values_ = std::move(matrix);
}

std::int64_t Features::rows() const {
  if (const Matrix* matrix = dense()) return matrix->rows();
  return sparse() ? sparse()->rows : 0;
}

std::int64_t Features::cols() const {
  if (const Matrix* matrix = dense()) return matrix->cols();
  return sparse() ? sparse()->cols : 0;
}

std::int64_t Features::entries() const { return sparse() ? sparse()->entries() : rows() * cols(); }

std::string Dataset::feature_name(std::int64_t column) const {
  if (column < 0 || column >= features.cols())
    fail("{}: there is no feature {}; there are {}, numbered from 0", name, column, features.cols());
  return feature_names.empty() ? fmt::format("feature {}", column) : feature_names[at(column)];
}

std::string Dataset::node_name(NodeId u) const {
  if (node_names.empty()) return std::to_string(u);
  if (u < 0 || u >= std::ssize(node_names))
    fail("{}: there is no node {}; {} have names, numbered from 0", name, u, node_names.size());
  return node_names[at(u)];
}

std::string DatasetFingerprint::whole() const {
  return Fingerprint().add(graph).add(features).add(labels).add(split).hex();
}

DatasetFingerprint fingerprint(const Dataset& dataset) {
  return {
      .graph =
          Fingerprint().add(dataset.graph.offsets()).add(dataset.graph.targets()).add(dataset.weights).hex(),
      .features = fingerprint_of(dataset.features),
      .labels = labels_print(dataset),
      .split = dataset.split ? dataset.split->hash() : ""};
}

void remove_features(Dataset& dataset) {
  dataset.features = Features();
  dataset.feature_names.clear();
  dataset.table = {};
}

std::vector<ClassId> untrained_classes(const Dataset& dataset, const Split& split) {
  require_ids(dataset.name + ": labels", dataset.labels, kUnknown, dataset.classes());
  require_ids(dataset.name + ": training nodes of the split", split.train, 0, std::ssize(dataset.labels));
  std::vector<char> labelled(at(dataset.classes())), trained(labelled);
  for (ClassId label : dataset.labels) {
    if (label != kUnknown) labelled[at(label)] = 1;
  }
  for (NodeId u : split.train) {
    if (dataset.labels[at(u)] != kUnknown) trained[at(dataset.labels[at(u)])] = 1;
  }
  std::vector<ClassId> classes;
  for (ClassId c = 0; c < dataset.classes(); ++c) {
    if (labelled[at(c)] && !trained[at(c)]) classes.push_back(c);
  }
  return classes;
}

std::vector<std::string> numbered_names(std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

void require_class_count(std::int64_t classes, std::int64_t nodes, const std::string& where) {
  constexpr std::int64_t kAlwaysAllowed = 65536;
  if (classes <= std::max(kAlwaysAllowed, nodes)) return;
  fail("{}: class {} for {}; number the classes from 0 up", where, classes - 1, counted(nodes, "node"));
}

void check_split(const Split& split, NodeId nodes, const std::string& where) {
  std::vector<bool> taken(static_cast<std::size_t>(nodes));
  for (const std::vector<NodeId>* part : {&split.train, &split.validation, &split.test, &split.withheld}) {
    for (NodeId u : *part) {
      if (u < 0 || u >= nodes) fail("{}: the split names node {}; nodes are 0 to {}", where, u, nodes - 1);
      if (taken[static_cast<std::size_t>(u)]) {
        fail("{}: the split has node {} twice; train, validation and test must not overlap", where, u);
      }
      taken[static_cast<std::size_t>(u)] = true;
    }
  }
}

void check_labelled_split(const Dataset& dataset, const std::string& where) {
  if (!dataset.split) fail("{} has no split that says which labels train", where);
  check_split(*dataset.split, static_cast<NodeId>(dataset.labels.size()), where);
  for (const auto* part : {&dataset.split->train, &dataset.split->validation, &dataset.split->test}) {
    for (NodeId u : *part) {
      if (dataset.labels[at(u)] == kUnknown)
        fail("{}: node {} of the split has no label; give it one, or take it out of the split", where,
             dataset.node_name(u));
    }
  }
}

void check(const Dataset& dataset, const std::string& where) {
  const NodeId nodes = dataset.nodes();
  if (nodes == 0) fail("{}: there are no nodes; an edge, a feature row or a label makes one", where);
  if (dataset.labels.size() != static_cast<std::size_t>(nodes)) {
    fail("{}: {} labels, but there are {} nodes; one per node is needed (-1 where unknown)", where,
         dataset.labels.size(), nodes);
  }
  check(dataset.targets, nodes, where);
  if (!dataset.feature_names.empty() && std::ssize(dataset.feature_names) != dataset.features.cols())
    fail("{}: {} names of features, but there are {} features", where, dataset.feature_names.size(),
         dataset.features.cols());
  if (!dataset.node_names.empty() && dataset.node_names.size() != static_cast<std::size_t>(nodes)) {
    fail("{}: {} node names, but there are {} nodes", where, dataset.node_names.size(), nodes);
  }
  for (std::size_t u = 0; u < dataset.labels.size(); ++u) {
    const ClassId label = dataset.labels[u];
    if (label < kUnknown || label >= dataset.classes()) {
      fail("{}: node {} has label {}; classes are 0 to {}, -1 is unknown", where, u, label,
           dataset.classes() - 1);
    }
  }
  if (!dataset.weights.empty() && std::ssize(dataset.weights) != dataset.graph.arcs()) {
    fail("{}: {} weights, but there are {} arcs; one per arc is needed, or none", where,
         dataset.weights.size(), dataset.graph.arcs());
  }
  for (NodeId u = 0; u < nodes && !dataset.weights.empty(); ++u) {
    const std::span<const Real> all(dataset.weights);
    const auto weights = all.subspan(static_cast<std::size_t>(dataset.graph.begin_of(u)),
                                     static_cast<std::size_t>(dataset.graph.degree(u)));
    check_size(weights, where, "edge weights", u);
    if (std::ranges::any_of(weights, [](Real w) { return w < 0; })) {
      fail("{}: node {} has an edge of negative weight; weights must be 0 or more", where, u);
    }
  }
  check_features(dataset.features, nodes, where);
  check(dataset.table, dataset.features.cols(), where);
  if (dataset.split) check_split(*dataset.split, nodes, where);
}

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
