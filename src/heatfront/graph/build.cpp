// SPDX-License-Identifier: MIT
#include "heatfront/graph/build.h"

#include <algorithm>
#include <span>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/graph/trusted_graph.h"

namespace heatfront {
namespace {

constexpr std::int64_t kBuildRows = 4096;  // rows that a thread takes at once

// Σ before each row, in place: counts[u+1] holds the number of arcs of u.
void counts_to_offsets(std::vector<ArcId>& counts) {
  for (std::size_t u = 1; u < counts.size(); ++u) counts[u] += counts[u - 1];
}

// Counting sort by the first node; arcs of a row stay in the order of the list. Loops and zeros stay out.
ArcRows rows_of(const ArcList& arcs, BuildReport& report) {
  const bool weighted = !arcs.weights.empty();
  const auto keep = [&](std::size_t i) {
    return arcs.from[i] != arcs.to[i] && !(weighted && arcs.weights[i] < kLeastWeight);
  };
  ArcRows rows{.offsets = std::vector<ArcId>(at(arcs.nodes) + 1)};
  for (std::size_t i = 0; i < arcs.from.size(); ++i) {
    if (keep(i)) {
      ++rows.offsets[at(arcs.from[i]) + 1];
    } else {
      ++(arcs.from[i] == arcs.to[i] ? report.loops : report.zeros);
    }
  }
  counts_to_offsets(rows.offsets);
  rows.targets.resize(at(rows.offsets.back()));
  if (weighted) rows.weights.resize(rows.targets.size());
  std::vector<ArcId> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t i = 0; i < arcs.from.size(); ++i) {
    if (!keep(i)) continue;
    const std::size_t place = at(next[at(arcs.from[i])]++);
    rows.targets[place] = arcs.to[i];
    if (weighted) rows.weights[place] = arcs.weights[i];
  }
  return rows;
}

ArcList list_of(ArcRows rows) {
  ArcList arcs{.nodes = static_cast<NodeId>(rows.offsets.size() - 1)};
  arcs.from.reserve(rows.targets.size());
  for (NodeId u = 0; u < arcs.nodes; ++u) {
    arcs.from.insert(arcs.from.end(), at(rows.offsets[at(u) + 1] - rows.offsets[at(u)]), u);
  }
  arcs.to = std::move(rows.targets);
  arcs.weights = std::move(rows.weights);
  return arcs;
}

// Sorts each row by target and merges repeats, then closes the gaps.
void sort_and_merge(ArcRows& rows, BuildReport& report, Threads& threads) {
  const bool weighted = !rows.weights.empty();
  const auto nodes = static_cast<NodeId>(rows.offsets.size() - 1);
  std::vector<ArcId> lengths(rows.offsets.size());  // of row u, at u + 1
  threads.for_blocks(nodes, kBuildRows, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::pair<NodeId, Real>> row;
    for (std::int64_t u = begin; u < end; ++u) {
      const std::size_t first = at(rows.offsets[at(u)]), last = at(rows.offsets[at(u) + 1]);
      const std::span<NodeId> targets(rows.targets.data() + first, last - first);
      if (!weighted) {
        std::ranges::sort(targets);
        lengths[at(u) + 1] = std::unique(targets.begin(), targets.end()) - targets.begin();
        continue;
      }
      row.clear();
      for (std::size_t a = first; a < last; ++a) row.emplace_back(rows.targets[a], rows.weights[a]);
      std::ranges::stable_sort(row, {}, &std::pair<NodeId, Real>::first);
      std::size_t place = first;
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (k > 0 && row[k].first == row[k - 1].first) {
          rows.weights[place - 1] += row[k].second;
        } else {
          rows.targets[place] = row[k].first;
          rows.weights[place++] = row[k].second;
        }
      }
      lengths[at(u) + 1] = static_cast<ArcId>(place - first);
    }
  });
  counts_to_offsets(lengths);
  const ArcId merged = rows.offsets.back() - lengths.back();
  report.repeats += merged;
  if (merged == 0) return;
  for (std::size_t u = 0; u < at(nodes); ++u) {
    const ArcId length = lengths[u + 1] - lengths[u];
    std::copy_n(rows.targets.begin() + rows.offsets[u], length, rows.targets.begin() + lengths[u]);
    if (weighted)
      std::copy_n(rows.weights.begin() + rows.offsets[u], length, rows.weights.begin() + lengths[u]);
  }
  rows.offsets = std::move(lengths);
  rows.targets.resize(at(rows.offsets.back()));
  if (weighted) rows.weights.resize(rows.targets.size());
}

// The arcs turned round. Rows come out sorted, because sources are visited in order.
ArcRows transpose(const ArcRows& rows) {
  ArcRows turned{.offsets = std::vector<ArcId>(rows.offsets.size())};
  for (NodeId v : rows.targets) ++turned.offsets[at(v) + 1];
  counts_to_offsets(turned.offsets);
  turned.targets.resize(rows.targets.size());
  turned.weights.resize(rows.weights.size());
  std::vector<ArcId> next(turned.offsets.begin(), turned.offsets.end() - 1);
  for (std::size_t u = 0; u + 1 < rows.offsets.size(); ++u) {
    for (std::size_t a = at(rows.offsets[u]); a < at(rows.offsets[u + 1]); ++a) {
      const std::size_t place = at(next[at(rows.targets[a])]++);
      turned.targets[place] = static_cast<NodeId>(u);
      if (!rows.weights.empty()) turned.weights[place] = rows.weights[a];
    }
  }
  return turned;
}

// Rows sorted, no loops, no repeats, no zeros?
bool is_clean(const ArcRows& rows, Threads& threads) {
  const auto nodes = static_cast<std::int64_t>(rows.offsets.size()) - 1;
  const auto faults =
      threads.sum_blocks<std::int64_t>(nodes, kBuildRows, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t found = 0;
        for (std::int64_t u = begin; u < end; ++u) {
          NodeId previous = -1;
          for (std::size_t a = at(rows.offsets[at(u)]); a < at(rows.offsets[at(u) + 1]); ++a) {
            const NodeId v = rows.targets[a];
            if (v <= previous || v == u || (!rows.weights.empty() && rows.weights[a] < kLeastWeight)) ++found;
            previous = v;
          }
        }
        return found;
      });
  return faults == 0;
}

bool is_undirected(const ArcRows& rows) {
  return is_symmetric(rows.offsets, rows.targets, [&](std::size_t a, std::size_t back) {
    return rows.weights.empty() || rows.weights[back] == rows.weights[a];
  });
}

// Union of the arcs and the turned arcs of clean rows.
ArcRows symmetrised(const ArcRows& rows, BuildReport& report) {
  const bool weighted = !rows.weights.empty();
  const ArcRows turned = transpose(rows);
  ArcRows both;
  both.offsets.reserve(rows.offsets.size());
  std::int64_t single = 0, uneven = 0;  // counted in arcs, so each edge twice
  const auto put = [&](NodeId v, Real weight) {
    both.targets.push_back(v);
    if (weighted) both.weights.push_back(weight);
  };
  const auto weight = [&](const ArcRows& side, std::size_t a) {
    return weighted ? side.weights[a] : Real(1);
  };
  for (std::size_t u = 0; u + 1 < rows.offsets.size(); ++u) {
    std::size_t a = at(rows.offsets[u]), b = at(turned.offsets[u]);
    const std::size_t a_end = at(rows.offsets[u + 1]), b_end = at(turned.offsets[u + 1]);
    while (a < a_end || b < b_end) {
      if (b == b_end || (a < a_end && rows.targets[a] < turned.targets[b])) {
        put(rows.targets[a], weight(rows, a));
        ++a, ++single;
      } else if (a == a_end || turned.targets[b] < rows.targets[a]) {
        put(turned.targets[b], weight(turned, b));
        ++b, ++single;
      } else {
        const Real there = weight(rows, a), back = weight(turned, b);
        if (there != back) ++uneven;
        put(rows.targets[a], (there + back) / 2);
        ++a, ++b;
      }
    }
    both.offsets.push_back(static_cast<ArcId>(both.targets.size()));
  }
  report.one_way = single / 2;
  report.uneven = uneven / 2;
  return both;
}

WeightedGraph finished(ArcRows rows, const BuildReport& report) {
  if (std::ranges::all_of(rows.weights, [](Real w) { return w == 1; })) rows.weights = {};
  return {trusted_graph(std::move(rows.offsets), std::move(rows.targets)), std::move(rows.weights), report};
}

WeightedGraph built(ArcList arcs, Threads& threads) {
  BuildReport report;
  ArcRows rows = rows_of(arcs, report);
  arcs = {};
  sort_and_merge(rows, report, threads);
  if (!is_undirected(rows)) rows = symmetrised(rows, report);
  return finished(std::move(rows), report);
}

void check(const ArcList& arcs) {
  if (arcs.nodes < 0) fail("build_graph: {} nodes; there must be 0 or more", arcs.nodes);
  require_count("build_graph: to", std::ssize(arcs.to), std::ssize(arcs.from), "one for each of from");
  require_ids("build_graph: from", arcs.from, 0, arcs.nodes);
  require_ids("build_graph: to", arcs.to, 0, arcs.nodes);
  require_weights("build_graph: weights", arcs.weights, std::ssize(arcs.to));
}

void check(const ArcRows& rows) {
  check_offsets(rows.offsets, std::ssize(rows.targets), "build_graph");
  require_ids("build_graph: targets", rows.targets, 0, std::ssize(rows.offsets) - 1);
  require_weights("build_graph: weights", rows.weights, std::ssize(rows.targets));
}

}  // namespace

WeightedGraph build_graph(ArcList arcs, Threads& threads) {
  check(arcs);
  return built(std::move(arcs), threads);
}

WeightedGraph build_graph(ArcRows rows, Threads& threads) {
  check(rows);
  if (is_clean(rows, threads) && is_undirected(rows)) return finished(std::move(rows), {});
  return built(list_of(std::move(rows)), threads);
}

}  // namespace heatfront
