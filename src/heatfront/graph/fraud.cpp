// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/generate.h"

namespace heatfront {
namespace {

constexpr std::int64_t kFeatures = 8, kTelling = 3;
constexpr std::uint64_t kEdgesOpened = 3;
constexpr NodeId kNodesPerHub = 50, kRingSize = 10;
constexpr double kToHub = 0.3, kCareful = 1.0 / 3;
constexpr std::uint64_t kOrderPart = 0, kKindPart = 1, kEndPart = 2, kFeaturePart = 3, kCarePart = 4;

void check(const FraudOptions& options) {
  if (options.nodes < 1 || options.nodes > kMostNodes)
    fail("fraud: {} nodes; there can be 1 to {}", options.nodes, kMostNodes);
  for (double share : {options.positive, options.ring}) {
    if (!(share >= 0 && share <= 1)) fail("fraud: a share of {}; it must be from 0 to 1", share);
  }
  if (options.ring + kToHub > 1)
    fail("fraud: ring is {}; it must be at most {:.4g}", options.ring, 1 - kToHub);
  if (!std::isfinite(options.signal)) fail("fraud: signal is {}; it must be a number", options.signal);
}

// All nodes, shuffled.
std::vector<NodeId> shuffled_nodes(NodeId nodes, const Random& random) {
  std::vector<NodeId> order(at(nodes));
  std::iota(order.begin(), order.end(), NodeId(0));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

}  // namespace

LabelledAccounts fraud_accounts(const FraudOptions& options, Threads& threads) {
  check(options);
  const Random random(options.seed), kinds = random.part(kKindPart), ends = random.part(kEndPart),
                                     values = random.part(kFeaturePart), care = random.part(kCarePart);
  const auto count = static_cast<NodeId>(std::lround(options.positive * options.nodes));
  std::vector<NodeId> frauds = shuffled_nodes(options.nodes, random.part(kOrderPart));
  frauds.resize(at(count));
  LabelledAccounts result{.graph = Graph::without_edges(options.nodes),
                          .features = Matrix(options.nodes, kFeatures),
                          .labels = std::vector<ClassId>(at(options.nodes), 0)};
  std::vector<NodeId> place(at(options.nodes), -1);  // among the frauds
  for (NodeId i = 0; i < count; ++i) {
    result.labels[at(frauds[at(i)])] = 1;
    place[at(frauds[at(i)])] = i;
  }

  const NodeId hubs = std::max<NodeId>(1, options.nodes / kNodesPerHub);
  ArcList arcs{.nodes = options.nodes, .from = {}, .to = {}, .weights = {}};
  for (NodeId u = 0; u < options.nodes; ++u) {
    for (std::uint64_t k = 0; k < kEdgesOpened; ++k) {
      const std::uint64_t number = static_cast<std::uint64_t>(u) * kEdgesOpened + k;
      const double kind = kinds.uniform(number), end = ends.uniform(number);
      NodeId v = 0;
      if (kind < kToHub) {
        v = static_cast<NodeId>(end * end * hubs);
      } else if (place[at(u)] >= 0 && kind < kToHub + options.ring) {
        const NodeId first = place[at(u)] / kRingSize * kRingSize, size = std::min(kRingSize, count - first);
        v = frauds[at(first + static_cast<NodeId>(end * size))];
      } else {
        v = static_cast<NodeId>(end * options.nodes);
      }
      arcs.from.push_back(u);
      arcs.to.push_back(v);
    }
    const bool shows = result.labels[at(u)] == 1 && care.uniform(static_cast<std::uint64_t>(u)) >= kCareful;
    for (std::int64_t k = 0; k < kFeatures; ++k) {
      const double shift = shows && k < kTelling ? options.signal : 0;
      result.features(u, k) =
          static_cast<Real>(shift + values.normal(static_cast<std::uint64_t>(u * kFeatures + k)));
    }
  }
  result.graph = build_graph(std::move(arcs), threads).graph;
  return result;
}

}  // namespace heatfront
