// SPDX-License-Identifier: MIT
// Orders of the nodes in which neighbours are near each other in memory, for graphs that do not fit the
// caches. An order lists the old nodes by their new number: order[new] = old.
//
//     rcm      reverse Cuthill–McKee: breadth first through each component from one of its ends, neighbours
//              by ascending degree, then all backwards. For meshes, roads, neighbour graphs
//     degree   by descending degree, equals by number: the rows read most lie together. For graphs with hubs
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

enum class Reordering { none, rcm, degree };

struct ReorderingEntry {
  Reordering reordering;
  std::string_view name;
  std::string_view what;
};

std::span<const ReorderingEntry> reorderings();
Reordering find_reordering(std::string_view name);  // an unknown one is an error that lists the others
std::string_view name_of(Reordering reordering);

std::vector<NodeId> reverse_cuthill_mckee(const Graph& graph);
std::vector<NodeId> degree_order(const Graph& graph);
std::vector<NodeId> node_order(const Graph& graph, Reordering reordering);  // none: 0, 1, 2, …

// The same graph with its nodes in that order. Both directions of an edge have the same weight, as
// build_graph sees to; no weights: none.
WeightedGraph permuted(const Graph& graph, std::span<const Real> weights, std::span<const NodeId> order);

}  // namespace heatfront
