// SPDX-License-Identifier: MIT
// The arc back of every arc, which may be one of another rank.
//
// Two ranks that share edges sort them alike, by (smaller id, larger id) of their ends: the k-th of one is the k-th of the other, so that a
// number per shared arc travels each way and nobody looks anything up.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heatfront/graph/graph.h"
#include "heatfront/graph/halo.h"
#include "heatfront/graph/rank_graph.h"

namespace heatfront {

class ArcPairs {
 public:
  explicit ArcPairs(const Graph& graph);                     // which has both
  ArcPairs(const RankGraph& graph, const Cluster& cluster);  // collective

  // By arc: the place of the arc back among with_others().
  std::span<const ArcId> reverse() const { return reverse_; }

  // A number for each arc, and behind them those of other ranks' arcs that lead back; lent until the next call. Collective.
  std::span<const Real> with_others(std::span<const Real> own);

 private:
  std::vector<ArcId> reverse_;
  std::unique_ptr<Halo> halo_;  // none: no other rank has any
  std::vector<ArcId> shared_;   // own arcs whose arc back is of another rank, as they are sent
  std::vector<Real> sent_, all_;
};

}  // namespace heatfront
