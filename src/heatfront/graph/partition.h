// SPDX-License-Identifier: MIT
// Which part of a graph has which node, and how good that is: a row that a part reads of another one travels in every product.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

// A graph as its arrays, wherever they are: in memory or in a file.
struct GraphRows {
  std::span<const ArcId> offsets;  // nodes + 1
  std::span<const NodeId> targets;
  std::span<const Real> weights;  // one per arc; empty: all 1

  std::int64_t nodes() const { return std::ssize(offsets) - 1; }
  std::span<const NodeId> neighbours(std::int64_t u) const {
    return targets.subspan(at(offsets[at(u)]), at(offsets[at(u) + 1] - offsets[at(u)]));
  }
};

inline constexpr int kMostParts = 4096;

// The work of a row, in arcs: a row without arcs is read and written, too.
inline constexpr std::int64_t kWorkOfRow = 8;

// The part of every node, by consecutive nodes of equal work.
std::vector<std::int32_t> block_parts(const GraphRows& graph, int parts);

// The same by streaming (Nishimura and Ugander 2013, reLDG): node by node, in many passes, to the part that has most of its neighbours,
//
//     argmax_p  |N(u) ∩ p| (1 − work(p) / (1.05 whole work / parts))
//
// with one integer per node beside the graph, whose arrays are read in order. after_pass(passes done, of so many) is told; passes end
// where few nodes move.
std::vector<std::int32_t> stream_parts(const GraphRows& graph, int parts,
                                       const std::function<void(int, int)>& after_pass);

// Nodes by part, and by their numbers within a part.
struct Partition {
  std::vector<NodeId> nodes;         // of every place
  std::vector<NodeId> places;        // of every node
  std::vector<std::int64_t> starts;  // part p has the places starts[p] … starts[p+1]−1

  int parts() const { return static_cast<int>(starts.size()) - 1; }
  int part_of(std::int64_t place) const;
};

// Error unless every entry is from 0 to parts − 1.
Partition partition_by(std::span<const std::int32_t> part_of_node, int parts);

// What a part has.
struct PartCount {
  std::int64_t rows = 0;
  ArcId arcs = 0;
  ArcId cut = 0;            // arcs to other parts
  std::int64_t ghosts = 0;  // rows of other parts that it reads
  int neighbours = 0;       // parts that these are of
};

// Between machines: what a message costs, and how fast its bytes come.
struct Network {
  double latency = 50e-6;     // α, seconds
  double bandwidth = 1.25e9;  // β, bytes per second: 10 Gbit/s
};

// Of one product with so many classes: the bytes of all ghosts, and how long the slowest part waits for its own,
//
//     max_p  α neighbours(p) + 4C ghosts(p) / β
struct ProductForecast {
  double bytes = 0, seconds = 0;
};
ProductForecast forecast_product(std::span<const PartCount> parts, std::int64_t classes,
                                 const Network& network);

// A part's rows in the form that a RowBlock takes.
struct PartRows {
  std::vector<ArcId> offsets = {0};
  std::vector<NodeId> targets;
  std::vector<Real> weights;
  std::vector<NodeId> ids;
};

// Goes through the rows of parts first … end − 1 in the order of their nodes, in which the arrays of the graph lie, be it on disk:
// each(part, node, its targets relative to the part's first place). What these parts have, counted with a bit per node and part.
std::vector<PartCount> walk_parts(
    const GraphRows& graph, const Partition& partition, int first, int end,
    const std::function<void(int part, NodeId node, std::span<const NodeId> targets)>& each);

PartRows rows_of_part(const GraphRows& graph, const Partition& partition, int part);

}  // namespace heatfront
