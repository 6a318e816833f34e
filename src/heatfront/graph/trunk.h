// SPDX-License-Identifier: MIT
// A graph without its branches: trees that hang on the rest by one node and hold none of some chosen nodes. Whatever is
// harmonic off the chosen nodes is constant along a branch, so that an edge to a branch acts like a loop.
#pragma once

#include <span>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct Twig {
  NodeId node, joint;  // what is cut off, and the node that it hangs on
};

// The nodes of all branches, from outside inwards. Weights: one per arc, or none for all 1; an edge of weight 0 carries
// no branch.
std::vector<Twig> find_twigs(const Graph& graph, std::span<const Real> weights,
                             std::span<const NodeId> chosen);

struct Trunk {
  Trunk(const Graph& whole, std::span<const Real> whole_weights, std::vector<Twig> cut_off);

  std::vector<NodeId> nodes;  // of the whole graph, ascending; a node of `graph` is its place here
  Graph graph;
  std::vector<Real> weights;  // one per arc of `graph`; empty: all 1
  std::vector<Real> loops;    // by node of `graph`: the weight of its edges to branches
  std::vector<Twig> twigs;
};

}  // namespace heatfront
