// SPDX-License-Identifier: MIT
// Any list of arcs → an undirected graph. The rules, in this order:
//
//   loops are removed; arcs of weight 0, or below kLeastWeight, are removed; repeats of an arc (u, v) become one, their
//   weights summed (an unweighted repeat is simply dropped); an edge known in one direction only gets the other one
//   with the same weight; an edge whose two directions differ in weight gets the mean of the two.
//
// What was changed is counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct ArcList {
  NodeId nodes = 0;
  std::vector<NodeId> from;
  std::vector<NodeId> to;
  std::vector<Real> weights;  // one per arc, finite and ≥ 0; empty: all 1
};

// The same in compressed rows, in any order within a row.
struct ArcRows {
  std::vector<ArcId> offsets = {0};
  std::vector<NodeId> targets;
  std::vector<Real> weights;
};

struct BuildReport {
  std::int64_t loops = 0;    // arcs removed because they end where they begin
  std::int64_t zeros = 0;    // arcs removed because their weight is 0 or below kLeastWeight
  std::int64_t repeats = 0;  // arcs merged into an equal one
  std::int64_t one_way = 0;  // edges that were given in one direction only
  std::int64_t uneven = 0;   // edges whose two directions had different weights
};

struct WeightedGraph {
  Graph graph;
  std::vector<Real> weights;  // one per arc; empty: all 1
  BuildReport report;
};

WeightedGraph build_graph(ArcList arcs, Threads& threads);
WeightedGraph build_graph(ArcRows rows,
                          Threads& threads);  // moves the arrays in when nothing is to be changed

}  // namespace heatfront
