// SPDX-License-Identifier: MIT
// How long a random walk may take to one of some chosen nodes: a bound that costs no more than a search through the graph.
//
// In a forest whose roots are the chosen nodes, the walk from u that steps along its edges alone takes
//
//     t(u) = Σ over the edges e from u to its root of  (Σ of the degrees of all nodes beyond e) / w_e
//
// steps. More edges only bring the walk nearer: with B the Laplacian off the chosen nodes and D the degrees, B ≥ B_forest as
// quadratic forms, and so the least eigenvalue of D⁻¹B is at least 1 / max t. That is how far numbers must be told apart for B to
// be told from a singular matrix.
#pragma once

#include <span>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct Walks {
  std::vector<bool> reached;  // the nodes from which a chosen one can be reached, these among them
  double longest;             // max t(u) over these
};

// Weights: one per arc, or none for all 1; those of 0 are no edges. The forest is that of fewest edges or, where this has longer
// walks than `enough`, of about the shortest paths (an edge is 1/w long).
Walks walks_to(const Graph& graph, std::span<const Real> weights, std::span<const NodeId> chosen,
               double enough);

}  // namespace heatfront
