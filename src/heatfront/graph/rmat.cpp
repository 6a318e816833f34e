// SPDX-License-Identifier: MIT
// Chakrabarti, Zhan, Faloutsos: R-MAT, a recursive model for graph mining (2004). Edge e chooses its quarter
// at every level by 32 bits of its own, so edges can be drawn in any order.
#include <cmath>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/generate.h"

namespace heatfront {
namespace {

constexpr int kMostLevels = 30;
constexpr std::int64_t kEdgesAtOnce = 1 << 16;
constexpr std::uint64_t kWeightsPart = 1;  // of the seed

void check(const RmatOptions& options) {
  if (options.scale < 0 || options.scale > kMostLevels) {
    fail("R-MAT: scale is {}; it must be 0 to {}", options.scale, kMostLevels);
  }
  if (options.arcs < 0) fail("R-MAT: {} arcs; there must be 0 or more", options.arcs);
  if (!(options.a >= 0 && options.b >= 0 && options.c >= 0 && options.a + options.b + options.c <= 1)) {
    fail("R-MAT: probabilities {}, {}, {}; each must be 0 or more, and their sum at most 1", options.a,
         options.b, options.c);
  }
}

WeightedGraph drawn_graph(const RmatOptions& options, bool weighted, Threads& threads) {
  check(options);
  const ArcId edges = options.arcs / 2;
  ArcList arcs{.nodes = NodeId{1} << options.scale};
  arcs.from.resize(static_cast<std::size_t>(edges));
  arcs.to.resize(static_cast<std::size_t>(edges));
  if (weighted) arcs.weights.resize(static_cast<std::size_t>(edges));
  threads.for_blocks(edges, kEdgesAtOnce, [&](std::int64_t begin, std::int64_t end) {
    const auto first = static_cast<std::size_t>(begin), count = static_cast<std::size_t>(end - begin);
    draw_rmat_edges(options, begin, std::span(arcs.from).subspan(first, count),
                    std::span(arcs.to).subspan(first, count),
                    weighted ? std::span(arcs.weights).subspan(first, count) : std::span<Real>());
  });
  return build_graph(std::move(arcs), threads);
}

}  // namespace

void draw_rmat_edges(const RmatOptions& options, std::int64_t first, std::span<NodeId> from,
                     std::span<NodeId> to, std::span<Real> weights) {
  check(options);
  constexpr double kAll = 0x1p32;
  const auto upper_left = static_cast<std::uint64_t>(std::lround(options.a * kAll));
  const auto upper = static_cast<std::uint64_t>(std::lround((options.a + options.b) * kAll));
  const auto left_below = static_cast<std::uint64_t>(std::lround((options.a + options.b + options.c) * kAll));
  const Random random(options.seed), of_weights = random.part(kWeightsPart);
  const auto draws = static_cast<std::uint64_t>(options.scale + 1) / 2;  // of 64 bits, for two levels each
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::uint64_t e = static_cast<std::uint64_t>(first) + i;
    NodeId u = 0, v = 0;
    for (int level = 0; level < options.scale; ++level) {
      const std::uint64_t both = random.bits(e * draws + static_cast<std::uint64_t>(level) / 2);
      const std::uint64_t r = level % 2 == 0 ? both >> 32 : both & 0xFFFFFFFFu;
      const bool below = r >= upper;
      const bool right = below ? r >= left_below : r >= upper_left;
      u = 2 * u + below;
      v = 2 * v + right;
    }
    from[i] = u;
    to[i] = v;
    if (!weights.empty()) weights[i] = static_cast<Real>(static_cast<float>(1 - of_weights.uniform(e)));
  }
}

Graph rmat_graph(const RmatOptions& options, Threads& threads) {
  return drawn_graph(options, false, threads).graph;
}

WeightedGraph weighted_rmat_graph(const RmatOptions& options, Threads& threads) {
  return drawn_graph(options, true, threads);
}

}  // namespace heatfront
