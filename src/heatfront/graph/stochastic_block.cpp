// SPDX-License-Identifier: MIT
// The pairs of two blocks are numbered 0 … P−1, and each is an edge with probability p. From one edge to the
// next lie g pairs with P(g) = p (1 − p)^g, so g = ⌊log(1 − U) / log(1 − p)⌋ leaps over all that are none.
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/generate.h"

namespace heatfront {
namespace {

// Calls take(pair) for every pair drawn of 0 … pairs−1, ascending.
template <class Take>
void draw_pairs(std::int64_t pairs, double p, const Random& random, const Take& take) {
  if (p == 0) return;
  const double log_none = std::log1p(-p);  // −∞ for p = 1: no leaps
  std::int64_t pair = 0;
  for (std::uint64_t i = 0;; ++i, ++pair) {
    const double leap = std::floor(std::log1p(-random.uniform(i)) / log_none);
    if (!(leap < static_cast<double>(pairs - pair))) return;
    pair += static_cast<std::int64_t>(leap);
    if (pair >= pairs) return;
    take(pair);
  }
}

// Pair v(v−1)/2 + w is {v, w}, w < v.
std::pair<NodeId, NodeId> triangle_pair(std::int64_t pair) {
  auto v = static_cast<std::int64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(pair))) / 2);
  while (v * (v - 1) / 2 > pair) --v;
  while (v * (v + 1) / 2 <= pair) ++v;
  return {static_cast<NodeId>(v), static_cast<NodeId>(pair - v * (v - 1) / 2)};
}

void check(const StochasticBlockOptions& options) {
  for (const double p : {options.p_in, options.p_out}) {
    if (!(p >= 0 && p <= 1)) fail("stochastic block: {} is no probability; it must be 0 to 1", p);
  }
  std::int64_t nodes = 0;
  for (NodeId size : options.sizes) {
    if (size < 0) fail("stochastic block: a block of {} nodes; none can be negative", size);
    nodes += size;
  }
  if (nodes > kMostNodes) {
    fail("stochastic block: {} nodes; there can be at most {}", nodes, kMostNodes);
  }
}

}  // namespace

LabelledGraph stochastic_block_graph(const StochasticBlockOptions& options, Threads& threads) {
  check(options);
  const Random random(options.seed);
  const std::size_t blocks = options.sizes.size();
  std::vector<NodeId> begins;
  LabelledGraph result;
  ArcList arcs;
  for (std::size_t b = 0; b < blocks; ++b) {
    begins.push_back(arcs.nodes);
    arcs.nodes += options.sizes[b];
    result.labels.resize(static_cast<std::size_t>(arcs.nodes), static_cast<ClassId>(b));
  }
  const auto add = [&](NodeId u, NodeId v) {
    arcs.from.push_back(u);
    arcs.to.push_back(v);
  };
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::int64_t size = options.sizes[b];
    draw_pairs(size * (size - 1) / 2, options.p_in, random.part(b * blocks + b), [&](std::int64_t pair) {
      const auto [v, w] = triangle_pair(pair);
      add(begins[b] + v, begins[b] + w);
    });
    for (std::size_t other = 0; other < b; ++other) {
      const std::int64_t width = options.sizes[other];
      draw_pairs(size * width, options.p_out, random.part(b * blocks + other), [&](std::int64_t pair) {
        add(begins[b] + static_cast<NodeId>(pair / width), begins[other] + static_cast<NodeId>(pair % width));
      });
    }
  }
  result.graph = build_graph(std::move(arcs), threads).graph;
  return result;
}

}  // namespace heatfront
