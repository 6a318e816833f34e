// SPDX-License-Identifier: MIT
#include "heatfront/graph/arc_pairs.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "heatfront/graph/edge_weights.h"

namespace heatfront {
namespace {

struct SharedArc {
  int owner;           // of the arc back
  NodeId first, last;  // smaller and larger id of its ends
  ArcId arc;
};

}  // namespace

ArcPairs::ArcPairs(const Graph& graph) : reverse_(reverse_arcs(graph)) {}

ArcPairs::ArcPairs(const RankGraph& graph, const Cluster& cluster) : reverse_(at(graph.arcs)) {
  const Ranks& ranks = cluster.ranks();
  std::vector<NodeId> ghost_ids(graph.ghosts.size());
  fetch_rows<NodeId>(*cluster.halo(graph.rows, graph.ghosts), graph.ids, ghost_ids);

  // Rows of this rank that arcs lead to, −1 where they lead to another.
  std::vector<ArcId> begins = {0};
  std::vector<NodeId> to_row;
  to_row.reserve(reverse_.size());
  std::vector<SharedArc> shared;
  const auto add_block = [&](const RowBlock& block, std::int64_t first_row, bool inside) {
    for (std::int64_t i = 0; i < block.rows(); ++i) {
      for (ArcId arc = block.offsets[at(i)]; arc < block.offsets[at(i) + 1]; ++arc) {
        const std::int64_t to = block.first + block.targets[at(arc)];
        if (inside || to < graph.first_ghost()) {
          const bool is_kept = !inside && to >= graph.first_kept();
          to_row.push_back(inside    ? static_cast<NodeId>(to)
                           : is_kept ? graph.kept[at(to - graph.first_kept())]
                                     : static_cast<NodeId>(graph.inside_rows + to));
          continue;
        }
        const std::size_t ghost = at(to - graph.first_ghost());
        const auto [first, last] = std::minmax(graph.ids[at(first_row + i)], ghost_ids[ghost]);
        shared.push_back({graph.ghosts[ghost].owner, first, last, std::ssize(to_row)});
        to_row.push_back(-1);
      }
      begins.push_back(std::ssize(to_row));
    }
  };
  for (const RowBlock& block : graph.inside) add_block(block, block.first, true);
  add_block(graph.boundary, graph.inside_rows, false);

  // As reverse_arcs() does it: rows in the order of their ids meet the arcs of every row in their own order.
  std::vector<NodeId> by_id(at(graph.rows));
  std::iota(by_id.begin(), by_id.end(), NodeId{0});
  std::ranges::sort(by_id, {}, [&](NodeId row) { return graph.ids[at(row)]; });
  std::vector<ArcId> cursor(begins.begin(), begins.end() - 1);
  for (NodeId row : by_id) {
    for (ArcId arc = begins[at(row)]; arc < begins[at(row) + 1]; ++arc) {
      if (to_row[at(arc)] < 0) continue;
      ArcId& back = cursor[at(to_row[at(arc)])];
      while (to_row[at(back)] < 0) ++back;
      reverse_[at(arc)] = back++;
    }
  }
  if (ranks.count() == 1) return;

  std::ranges::sort(shared, {},
                    [](const SharedArc& arc) { return std::tie(arc.owner, arc.first, arc.last); });
  // starts[r · count + p]: where those that rank r shares with p begin.
  std::vector<double> starts(at(ranks.count()) * at(ranks.count()));
  for (int other = 0; other < ranks.count(); ++other) {
    const auto first = std::ranges::lower_bound(shared, other, {}, &SharedArc::owner);
    starts[at(ranks.rank() * ranks.count() + other)] = static_cast<double>(first - shared.begin());
  }
  ranks.sum(starts);
  std::vector<RemoteRow> back;
  std::int64_t of_owner = 0;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const int owner = shared[i].owner;
    of_owner = i > 0 && shared[i - 1].owner == owner ? of_owner + 1 : 0;
    const double start = starts[at(owner * ranks.count() + ranks.rank())];
    back.push_back({owner, static_cast<std::int64_t>(start) + of_owner});
    shared_.push_back(shared[i].arc);
    reverse_[at(shared[i].arc)] = graph.arcs + static_cast<ArcId>(i);
  }
  halo_ = cluster.halo(std::ssize(shared_), back);
}

std::span<const Real> ArcPairs::with_others(std::span<const Real> own) {
  if (!halo_) return own;
  sent_.clear();
  for (ArcId arc : shared_) sent_.push_back(own[at(arc)]);
  all_.resize(own.size() + shared_.size());
  std::ranges::copy(own, all_.begin());
  fetch_rows<Real>(*halo_, sent_, std::span(all_).subspan(own.size()));
  return all_;
}

}  // namespace heatfront
