// SPDX-License-Identifier: MIT
#include "heatfront/graph/components.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "heatfront/base/checks.h"

namespace heatfront {

NodeId Components::largest() const { return sizes.empty() ? 0 : std::ranges::max(sizes); }

// Breadth first from every node that has no component yet.
Components connected_components(const Graph& graph, std::span<const Real> weights) {
  Components result{.of = std::vector<NodeId>(static_cast<std::size_t>(graph.nodes()), -1)};
  std::vector<NodeId> queue;
  for (NodeId start = 0; start < graph.nodes(); ++start) {
    if (result.of[static_cast<std::size_t>(start)] >= 0) continue;
    const NodeId component = result.count();
    queue.assign(1, start);
    result.of[static_cast<std::size_t>(start)] = component;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const NodeId u = queue[head];
      for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
        const NodeId v = graph.targets()[at(arc)];
        NodeId& of_v = result.of[static_cast<std::size_t>(v)];
        if (of_v >= 0 || (!weights.empty() && !(weights[at(arc)] > 0))) continue;
        of_v = component;
        queue.push_back(v);
      }
    }
    result.sizes.push_back(static_cast<NodeId>(queue.size()));
  }
  return result;
}

std::vector<bool> reached_from(const Graph& graph, std::span<const Real> weights,
                               std::vector<NodeId> sources) {
  require_weights("reached_from: weights", weights, graph.arcs());
  require_ids("reached_from: sources", sources, 0, graph.nodes());
  std::vector<char> reached(at(graph.nodes()));
  std::vector<NodeId> queue = std::move(sources);
  queue.reserve(reached.size());
  for (NodeId u : queue) reached[at(u)] = 1;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const NodeId u = queue[head];
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
      const NodeId v = graph.targets()[at(arc)];
      if (reached[at(v)] != 0 || (!weights.empty() && !(weights[at(arc)] > 0))) continue;
      reached[at(v)] = 1;
      queue.push_back(v);
    }
  }
  return {reached.begin(), reached.end()};
}

NodeId count_isolated(const Graph& graph) {
  NodeId isolated = 0;
  for (NodeId u = 0; u < graph.nodes(); ++u) isolated += graph.degree(u) == 0;
  return isolated;
}

double homophily(const Graph& graph, std::span<const ClassId> labels) {
  require_count("homophily: labels", std::ssize(labels), graph.nodes(), "one per node");
  std::int64_t same = 0, judged = 0;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const ClassId own = labels[static_cast<std::size_t>(u)];
    if (own == kUnknown) continue;
    for (NodeId v : graph.neighbours(u)) {
      const ClassId other = labels[static_cast<std::size_t>(v)];
      if (other == kUnknown) continue;
      ++judged;
      same += other == own;
    }
  }
  if (judged == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(same) / static_cast<double>(judged);
}

// Breadth first from all sources at once.
std::vector<NodeId> distances_to(const Graph& graph, std::span<const NodeId> sources) {
  require_ids("distances_to: sources", sources, 0, graph.nodes());
  std::vector<NodeId> distance(at(graph.nodes()), kNoPath);
  std::vector<NodeId> queue(sources.begin(), sources.end());
  for (NodeId u : sources) distance[at(u)] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (NodeId v : graph.neighbours(queue[head])) {
      if (distance[at(v)] != kNoPath) continue;
      distance[at(v)] = distance[at(queue[head])] + 1;
      queue.push_back(v);
    }
  }
  return distance;
}

}  // namespace heatfront
