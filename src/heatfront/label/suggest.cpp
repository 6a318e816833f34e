// SPDX-License-Identifier: MIT
#include "heatfront/label/suggest.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include "heatfront/base/fail.h"
#include "heatfront/base/softmax.h"

namespace heatfront {
namespace {

constexpr std::int64_t kCandidatesEach = 8;  // for each node asked for
constexpr std::int64_t kFewestCandidates = 32;
constexpr std::int64_t kArcsAtMost =
    24'000'000;  // that heat of candidates flows along, so that large graphs answer at once
constexpr std::int64_t kCandidates = 32;  // candidates whose heat flows at once
constexpr NodeId kFewEdges = 8;

// How many nodes to look at for `count`, by a flow each.
std::int64_t candidates_for(std::int64_t count, const Graph& graph) {
  const std::int64_t wanted = std::max(kCandidatesEach * count, kFewestCandidates);
  const std::int64_t affordable = kArcsAtMost / std::max<std::int64_t>(1, graph.arcs());
  return std::max(2 * count, std::min(wanted, affordable));
}

// The nodes without a label whose class leads least, in that order; where it leads as little, as it does before the first label, those with
// more edges.
std::vector<Suggestion> candidates(const Answer& answer, const Graph& graph, std::int64_t count) {
  std::vector<Suggestion> result;
  for (std::size_t u = 0; u < answer.decisions.classes.size(); ++u) {
    if (answer.decisions.status[u] == NodeStatus::known) continue;
    result.push_back({.node = static_cast<NodeId>(u),
                      .label = answer.decisions.classes[u],
                      .margin = answer.decisions.margin[u]});
  }
  const std::size_t kept = std::min(result.size(), at(count));
  std::ranges::partial_sort(
      result, result.begin() + static_cast<std::ptrdiff_t>(kept), {},
      [&](const Suggestion& s) { return std::tuple(s.margin, -graph.degree(s.node), s.node); });
  result.resize(kept);
  return result;
}

// Σ_c p_c #{v whose warmest class differs when j is held at class c}. Only the temperature of c itself depends
// on c, so one pass over the other classes serves all c.
double expected_change(const Answer& answer, const Suggestion& j, const Influence& influence,
                       std::int64_t column) {
  const ConstMatrixView f = answer.temperatures.values;
  const auto at_j = f.row(j.node);
  std::vector<std::int64_t> changes(at_j.size());
  std::vector<double> cooled(at_j.size());
  for (NodeId v = 0; v < f.rows; ++v) {
    const double h = static_cast<double>(influence.heat(v, column)) / influence.unit[at(column)];
    if (h == 0) continue;
    for (std::size_t c = 0; c < cooled.size(); ++c)
      cooled[c] = static_cast<double>(f.row(v)[c]) +
                  h * ((influence.beside.empty() ? 0 : influence.beside[c]) - static_cast<double>(at_j[c]));
    const auto warmest = static_cast<ClassId>(std::ranges::max_element(cooled) - cooled.begin());
    const ClassId now = answer.decisions.classes[at(v)];
    for (std::size_t c = 0; c < cooled.size(); ++c) {
      const bool wins = cooled[c] + h * influence.label_scale > cooled[at(warmest)];
      changes[c] += (wins ? static_cast<ClassId>(c) : warmest) != now;
    }
  }
  double expected = 0;
  for (std::size_t c = 0; c < changes.size(); ++c)
    expected += softmax_share(at_j, c) * static_cast<double>(changes[c]);
  return expected;
}

void rank_by_change(Session& session, const Answer& answer, std::vector<Suggestion>& nodes) {
  for (std::size_t first = 0; first < nodes.size(); first += at(kCandidates)) {
    const auto block = std::span(nodes).subspan(first, std::min(at(kCandidates), nodes.size() - first));
    std::vector<NodeId> sources;
    for (const Suggestion& node : block) sources.push_back(node.node);
    const Influence influence = session.influence(sources);
    session.threads().for_blocks(std::ssize(block), 1, [&](std::int64_t i, std::int64_t) {
      block[at(i)].expected_change = expected_change(answer, block[at(i)], influence, i);
    });
  }
  std::ranges::stable_sort(nodes, std::greater(), &Suggestion::expected_change);
}

// Marks u, its neighbours, and theirs where the node between them has few edges.
void take_neighbourhood(const Graph& graph, NodeId u, std::vector<bool>& taken) {
  taken[at(u)] = true;
  for (NodeId v : graph.neighbours(u)) {
    taken[at(v)] = true;
    if (graph.degree(v) > kFewEdges) continue;
    for (NodeId w : graph.neighbours(v)) taken[at(w)] = true;
  }
}

}  // namespace

std::span<const SuggestByEntry> suggest_ways() {
  static constexpr std::array<SuggestByEntry, 2> kWays = {
      {{SuggestBy::expected_change, "change"}, {SuggestBy::margin, "margin"}}};
  return kWays;
}

SuggestBy find_suggest_by(std::string_view name) {
  const auto found = std::ranges::find(suggest_ways(), name, &SuggestByEntry::name);
  if (found == suggest_ways().end()) fail("--suggest-by {}: choose from: change, margin", name);
  return found->by;
}

SuggestBy default_suggest_by(const Session& session) {
  return session.is_linear() ? SuggestBy::expected_change : SuggestBy::margin;
}

std::vector<Suggestion> suggest(Session& session, const Answer& answer, const SuggestOptions& options) {
  const Dataset& data = session.model().data;
  check(answer, data.nodes(), data.classes());
  if (options.count < 0) fail("{} suggestions: there must be 0 or more", options.count);
  const std::int64_t count = std::min<std::int64_t>(options.count, data.nodes());
  std::vector<Suggestion> nodes = candidates(answer, data.graph, candidates_for(count, data.graph));
  if (options.by == SuggestBy::expected_change) rank_by_change(session, answer, nodes);
  const Graph& graph = data.graph;
  std::vector<bool> taken(at(graph.nodes()));
  std::vector<Suggestion> chosen;
  std::vector<Suggestion> close;  // to those that are chosen: only where there are no others
  for (const Suggestion& node : nodes) {
    if (std::ssize(chosen) == count) break;
    if (taken[at(node.node)]) {
      close.push_back(node);
      continue;
    }
    chosen.push_back(node);
    take_neighbourhood(graph, node.node, taken);
  }
  const std::size_t missing = std::min(at(count) - chosen.size(), close.size());
  chosen.insert(chosen.end(), close.begin(), close.begin() + static_cast<std::ptrdiff_t>(missing));
  return chosen;
}

}  // namespace heatfront
