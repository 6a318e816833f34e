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

}  // namespace

Graph rmat_graph(const RmatOptions& options, Threads& threads) {
  check(options);
  constexpr double kAll = 0x1p32;
  const auto upper_left = static_cast<std::uint64_t>(std::lround(options.a * kAll));
  const auto upper = static_cast<std::uint64_t>(std::lround((options.a + options.b) * kAll));
  const auto left_below = static_cast<std::uint64_t>(std::lround((options.a + options.b + options.c) * kAll));
  const Random random(options.seed);
  const auto draws = static_cast<std::uint64_t>(options.scale + 1) / 2;  // of 64 bits, for two levels each
  const ArcId edges = options.arcs / 2;
  ArcList arcs{.nodes = NodeId{1} << options.scale};
  arcs.from.resize(static_cast<std::size_t>(edges));
  arcs.to.resize(static_cast<std::size_t>(edges));
  threads.for_blocks(edges, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e) {
      NodeId u = 0, v = 0;
      for (int level = 0; level < options.scale; ++level) {
        const std::uint64_t both = random.bits(e * draws + static_cast<std::uint64_t>(level) / 2);
        const std::uint64_t r = level % 2 == 0 ? both >> 32 : both & 0xFFFFFFFFu;
        const bool below = r >= upper;
        const bool right = below ? r >= left_below : r >= upper_left;
        u = 2 * u + below;
        v = 2 * v + right;
      }
      arcs.from[e] = u;
      arcs.to[e] = v;
    }
  });
  return build_graph(std::move(arcs), threads).graph;
}

}  // namespace heatfront
