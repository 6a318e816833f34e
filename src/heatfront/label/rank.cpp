// SPDX-License-Identifier: MIT
#include "heatfront/label/rank.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "heatfront/base/checks.h"

namespace heatfront {

Ranking rank(Session& session, const Answer& answer, const RankOptions& options) {
  const Dataset& data = session.model().data;
  check(answer, data.nodes(), data.classes());
  require_ids("rank: class", std::span(&options.label, 1), 0, data.classes());
  if (options.count < 1) fail("a ranking of {} nodes: there must be 1 or more", options.count);
  Ranking result{.label = options.label};
  for (NodeId u = 0; u < data.nodes(); ++u) {
    if (!options.known && answer.decisions.status[at(u)] == NodeStatus::known) continue;
    result.nodes.push_back({.node = u, .share = share_of_class(answer, u, options.label)});
  }
  result.candidates = std::ssize(result.nodes);
  std::ranges::stable_sort(result.nodes, std::greater(), &RankedNode::share);
  result.nodes.resize(at(std::min(options.count, result.candidates)));
  if (!options.reasons || !session.is_linear()) return result;

  std::vector<NodeId> nodes;
  for (const RankedNode& node : result.nodes) nodes.push_back(node.node);
  std::vector<Explanation> reasons =
      explain(session, answer, nodes, {.made = 1, .curves = 0, .without = 0, .about = options.label});
  for (std::size_t i = 0; i < nodes.size(); ++i) result.nodes[i].reasons = std::move(reasons[i]);
  return result;
}

}  // namespace heatfront
