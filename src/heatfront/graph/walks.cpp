// SPDX-License-Identifier: MIT
#include "heatfront/graph/walks.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace heatfront {
namespace {

// Nodes by about how far they are: four buckets for each power of two, in each whoever came first.
class DistanceBuckets {
 public:
  void push(double distance, NodeId u) {
    const std::size_t bucket = bucket_of(distance);
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back(u);
  }

  // Hands out all nodes, also those that are pushed meanwhile, if no nearer than the one handed out.
  template <class Take>
  void take_all(const Take& take) {
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      for (std::size_t i = 0; i < buckets_[bucket].size(); ++i) take(buckets_[bucket][i]);
      std::vector<NodeId>().swap(buckets_[bucket]);
    }
  }

 private:
  static constexpr double kShortest = 1e-39;  // 1 / the largest weight there is, about

  static std::size_t bucket_of(double distance) {
    constexpr int kBelowQuarters = 50;  // bits of the fraction that do not count
    const auto quarters = [](double x) { return std::bit_cast<std::uint64_t>(x) >> kBelowQuarters; };
    return static_cast<std::size_t>(quarters(std::max(distance, kShortest)) - quarters(kShortest));
  }

  std::vector<std::vector<NodeId>> buckets_;
};

// Nodes from the roots outwards; all but the roots with the next one on the way to theirs.
struct Forest {
  static constexpr NodeId kNone = -1;

  std::vector<NodeId> order, next;
  std::vector<Real> weight;  // of the edge there

  explicit Forest(const Graph& graph) : next(at(graph.nodes()), kNone), weight(next.size()) {
    order.reserve(next.size());
  }
};

double weight_of(std::span<const Real> weights, ArcId arc) {
  return weights.empty() ? 1 : static_cast<double>(weights[at(arc)]);
}

// By fewest edges.
Forest breadth_first(const Graph& graph, std::span<const Real> weights, std::span<const NodeId> roots) {
  Forest forest(graph);
  for (NodeId u : roots) {
    if (forest.next[at(u)] != Forest::kNone) continue;
    forest.next[at(u)] = u;
    forest.order.push_back(u);
  }
  for (std::size_t head = 0; head < forest.order.size(); ++head) {
    const NodeId u = forest.order[head];
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
      const NodeId v = graph.targets()[at(arc)];
      if (forest.next[at(v)] != Forest::kNone || !(weight_of(weights, arc) > 0)) continue;
      forest.next[at(v)] = u;
      forest.weight[at(v)] = static_cast<Real>(weight_of(weights, arc));
      forest.order.push_back(v);
    }
  }
  return forest;
}

// By about the shortest paths, where an edge is 1/w long.
Forest nearest_first(const Graph& graph, std::span<const Real> weights, std::span<const NodeId> roots) {
  Forest forest(graph);
  std::vector<double> distance(forest.next.size(), std::numeric_limits<double>::infinity());
  std::vector<std::uint8_t> settled(distance.size());
  DistanceBuckets buckets;
  for (NodeId u : roots) {
    distance[at(u)] = 0;
    forest.next[at(u)] = u;
    buckets.push(0, u);
  }
  buckets.take_all([&](NodeId u) {
    if (settled[at(u)] != 0) return;
    settled[at(u)] = 1;
    forest.order.push_back(u);
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
      const NodeId v = graph.targets()[at(arc)];
      const double there = distance[at(u)] + 1 / weight_of(weights, arc);
      if (settled[at(v)] != 0 || !(there < distance[at(v)])) continue;
      distance[at(v)] = there;
      forest.next[at(v)] = u;
      forest.weight[at(v)] = static_cast<Real>(weight_of(weights, arc));
      buckets.push(there, v);
    }
  });
  return forest;
}

double longest_walk_along(const Forest& forest, const Graph& graph, std::span<const Real> weights) {
  std::vector<double> mass(forest.next.size()), steps(mass.size());
  for (NodeId u : forest.order) mass[at(u)] = graph.degree(u);
  for (NodeId u = 0; u < graph.nodes() && !weights.empty(); ++u) {
    mass[at(u)] = 0;
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc)
      mass[at(u)] += weight_of(weights, arc);
  }
  for (auto u = forest.order.rbegin(); u != forest.order.rend(); ++u) {
    if (forest.next[at(*u)] != *u) mass[at(forest.next[at(*u)])] += mass[at(*u)];
  }
  double longest = 0;
  for (NodeId u : forest.order) {
    if (forest.next[at(u)] == u) continue;
    steps[at(u)] = steps[at(forest.next[at(u)])] + mass[at(u)] / static_cast<double>(forest.weight[at(u)]);
    longest = std::max(longest, steps[at(u)]);
  }
  return longest;
}

}  // namespace

Walks walks_to(const Graph& graph, std::span<const Real> weights, std::span<const NodeId> chosen,
               double enough) {
  const Forest forest = breadth_first(graph, weights, chosen);
  Walks walks{.reached = std::vector<bool>(forest.next.size()),
              .longest = longest_walk_along(forest, graph, weights)};
  for (NodeId u : forest.order) walks.reached[at(u)] = true;
  if (walks.longest > enough && !weights.empty()) {
    const Forest shorter = nearest_first(graph, weights, chosen);
    walks.longest = std::min(walks.longest, longest_walk_along(shorter, graph, weights));
  }
  return walks;
}

}  // namespace heatfront
