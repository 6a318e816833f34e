// SPDX-License-Identifier: MIT
#include "heatfront/graph/generate.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/trusted_graph.h"

namespace heatfront {
namespace {

void check_nodes(std::string_view what, std::int64_t nodes) {
  if (nodes < 0 || nodes > kMostNodes) fail("{}: {} nodes; there can be 0 to {}", what, nodes, kMostNodes);
}

// add_neighbours(u, targets) appends the neighbours of u in ascending order.
template <class AddNeighbours>
Graph graph_by_rows(NodeId nodes, const AddNeighbours& add_neighbours) {
  std::vector<ArcId> offsets = {0};
  offsets.reserve(static_cast<std::size_t>(nodes) + 1);
  std::vector<NodeId> targets;
  for (NodeId u = 0; u < nodes; ++u) {
    add_neighbours(u, targets);
    offsets.push_back(static_cast<ArcId>(targets.size()));
  }
  return trusted_graph(std::move(offsets), std::move(targets));
}

}  // namespace

Graph path_graph(NodeId nodes) {
  check_nodes("path", nodes);
  return grid_graph(1, nodes);
}

Graph grid_graph(NodeId rows, NodeId cols) {
  if (rows < 0 || cols < 0) fail("grid: {} rows and {} columns; neither can be negative", rows, cols);
  const std::int64_t nodes = std::int64_t{rows} * cols;
  check_nodes("grid", nodes);
  return graph_by_rows(static_cast<NodeId>(nodes), [&](NodeId u, std::vector<NodeId>& targets) {
    const NodeId row = u / cols, col = u % cols;
    if (row > 0) targets.push_back(u - cols);
    if (col > 0) targets.push_back(u - 1);
    if (col + 1 < cols) targets.push_back(u + 1);
    if (row + 1 < rows) targets.push_back(u + cols);
  });
}

Graph complete_graph(NodeId nodes) {
  check_nodes("complete graph", nodes);
  return graph_by_rows(nodes, [&](NodeId u, std::vector<NodeId>& targets) {
    for (NodeId v = 0; v < nodes; ++v) {
      if (v != u) targets.push_back(v);
    }
  });
}

Graph star_graph(NodeId nodes) {
  check_nodes("star", nodes);
  return graph_by_rows(nodes, [&](NodeId u, std::vector<NodeId>& targets) {
    if (u > 0) targets.push_back(0);
    for (NodeId v = 1; u == 0 && v < nodes; ++v) targets.push_back(v);
  });
}

LabelledPoints two_moons(const TwoMoonsOptions& options) {
  check_nodes("two moons", options.points);
  if (!(options.noise >= 0 && std::isfinite(options.noise))) {
    fail("two moons: noise is {}; it must be 0 or more", options.noise);
  }
  const Random random(options.seed);
  const NodeId first = options.points - options.points / 2;
  LabelledPoints result{.points = Matrix(options.points, 2)};
  for (NodeId u = 0; u < options.points; ++u) {
    const ClassId moon = u < first ? 0 : 1;
    const NodeId place = moon == 0 ? u : u - first;
    const NodeId size = moon == 0 ? first : options.points - first;
    const double t = size > 1 ? std::numbers::pi * place / (size - 1) : 0;
    const double x = moon == 0 ? std::cos(t) : 1 - std::cos(t);
    const double y = moon == 0 ? std::sin(t) : 0.5 - std::sin(t);
    const auto number = 2 * static_cast<std::uint64_t>(u);
    result.points(u, 0) = static_cast<Real>(x + options.noise * random.normal(number));
    result.points(u, 1) = static_cast<Real>(y + options.noise * random.normal(number + 1));
    result.labels.push_back(moon);
  }
  return result;
}

}  // namespace heatfront
