// SPDX-License-Identifier: MIT
// Graphs and points of known make, for tests and for scale. What is random depends on the seed alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

Graph path_graph(NodeId nodes);              // u – u+1
Graph grid_graph(NodeId rows, NodeId cols);  // r·cols + c with those above, below, left and right of it
Graph complete_graph(NodeId nodes);          // every pair
Graph star_graph(NodeId nodes);              // node 0 with every other

struct LabelledGraph {
  Graph graph;
  std::vector<ClassId> labels;
};

// Stochastic block model: block b has sizes[b] nodes, numbered on from block to block and labelled b; two
// nodes are joined with probability p_in within a block and p_out between blocks. Costs what it makes, not
// nodes².
struct StochasticBlockOptions {
  std::vector<NodeId> sizes;
  double p_in = 0;
  double p_out = 0;
  std::uint64_t seed = 0;
};

LabelledGraph stochastic_block_graph(const StochasticBlockOptions& options, Threads& threads);

struct LabelledPoints {
  Matrix points;  // (n, 2)
  std::vector<ClassId> labels;
};

// Two half circles that reach into each other, t evenly in [0, π]: the first ⌈n/2⌉ points (cos t, sin t) of
// class 0, the others (1 − cos t, ½ − sin t) of class 1, plus normal noise of that deviation.
struct TwoMoonsOptions {
  NodeId points = 0;
  double noise = 0;
  std::uint64_t seed = 0;
};

LabelledPoints two_moons(const TwoMoonsOptions& options);

// R-MAT on 2^scale nodes: arcs/2 edges are drawn, each by `scale` choices of a quarter of the adjacency
// matrix with probabilities a, b, c and the rest; loops and repeats are dropped, so the graph has somewhat
// fewer than `arcs`. At its peak takes about 10 bytes per arc and 24 per node.
struct RmatOptions {
  int scale = 0;
  ArcId arcs = 0;
  std::uint64_t seed = 0;
  double a = 0.57, b = 0.19, c = 0.19;
};

Graph rmat_graph(const RmatOptions& options, Threads& threads);

// The same with a weight in (0, 1] on every edge drawn; those of repeats are summed.
WeightedGraph weighted_rmat_graph(const RmatOptions& options, Threads& threads);

// Its edges first, first + 1, … of arcs/2, as they are drawn: with loops and repeats. Weights: as many, or none.
void draw_rmat_edges(const RmatOptions& options, std::int64_t first, std::span<NodeId> from,
                     std::span<NodeId> to, std::span<Real> weights);

struct LabelledAccounts {
  Graph graph;
  Matrix features;              // (n, 8): three that tell, five of noise
  std::vector<ClassId> labels;  // 1: fraud
};

// Accounts that pay each other; a `positive` share of them, anywhere among the nodes, are fraud. Every account opens about three
// edges: to a hub (the first fiftieth of the nodes, earlier ones more often) with probability 0.3, from a fraud to one of
// the ten of its ring with probability `ring`, else to anyone. Features are standard normal; the first three are higher by
// `signal` for a fraud, but not for a third of them, which take care.
struct FraudOptions {
  NodeId nodes = 0;
  double positive = 0.05;
  double ring = 0.4;
  double signal = 1;
  std::uint64_t seed = 0;
};

LabelledAccounts fraud_accounts(const FraudOptions& options, Threads& threads);

}  // namespace heatfront
