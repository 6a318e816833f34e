// SPDX-License-Identifier: MIT
// The rows of a graph that one rank has. All rows have places 0 … n−1 in the order of a partition, each rank a stretch of them,
// and every row keeps its arcs in the order in which the whole graph has them: then sums come out with the same bits whoever adds them up.
//
// Alone a rank has all rows, in blocks that may lie in files. Of several ranks each has the rows inside first, whose neighbours are all its
// own, then those on the boundary. These read from a strip of rows that is filled before each product:
//
//     strip = boundary rows, other own rows that they read, ghosts
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/halo.h"

namespace heatfront {

// Rows first … first + rows() − 1. Row i has the arcs offsets[i] … offsets[i+1]−1; an arc leads to row first + target.
struct RowBlock {
  std::int64_t first = 0;
  std::span<const ArcId> offsets;  // one more than rows, from 0
  std::span<const NodeId> targets;
  std::span<const Real> weights;  // one per arc; empty: all 1

  std::int64_t rows() const { return std::ssize(offsets) - 1; }
};

struct RankGraph {
  std::int64_t nodes = 0;  // on all ranks
  ArcId arcs = 0;          // of this rank
  std::int64_t rows = 0;   // of this rank
  std::int64_t inside_rows = 0;
  std::vector<RowBlock> inside;
  RowBlock boundary;              // of the strip: row 0 of it is row inside_rows
  std::vector<NodeId> kept;       // own rows in the strip, behind those of the boundary
  std::vector<RemoteRow> ghosts;  // behind these
  std::vector<NodeId> ids;        // of every row: the user's number of the node
  std::shared_ptr<const void> owner;

  std::int64_t first_kept() const { return boundary.rows(); }
  std::int64_t first_ghost() const { return boundary.rows() + std::ssize(kept); }
  std::int64_t strip_rows() const { return first_ghost() + std::ssize(ghosts); }
};

// Blocks of consecutive places, which `owner` keeps; rank r has the places starts[r] … starts[r+1]−1, and `ids` are theirs. Collective.
RankGraph rank_graph(std::vector<RowBlock> blocks, std::vector<NodeId> ids,
                     std::span<const std::int64_t> starts, const Cluster& cluster,
                     std::shared_ptr<const void> owner);

}  // namespace heatfront
