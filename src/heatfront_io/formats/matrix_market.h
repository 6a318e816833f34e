// SPDX-License-Identifier: MIT
// The arcs of a square sparse matrix in Matrix Market's coordinate format: entry (i, j) is the arc from node
// i−1 to node j−1, its value the weight.
#pragma once

#include <filesystem>

#include "heatfront/graph/build.h"

namespace heatfront {

struct MatrixMarketArcs {
  ArcList arcs;
  bool symmetric = false;  // each entry stands for both directions
};

MatrixMarketArcs read_matrix_market_arcs(const std::filesystem::path& path);

// The graph; in a symmetric matrix no edge counts as given in one direction only.
WeightedGraph build_graph(MatrixMarketArcs matrix, Threads& threads);

}  // namespace heatfront
