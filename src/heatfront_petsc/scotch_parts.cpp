// SPDX-License-Identifier: MIT
#include "heatfront_petsc/scotch_parts.h"

#include <cstdio>  // scotch.h needs FILE
#include <limits>

#include <scotch.h>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

// Made by one function of Scotch and ended by another.
template <class T, int (*kMake)(T*), void (*kEnd)(T*)>
class Made {
 public:
  Made() {
    if (kMake(&value_) != 0) fail("Scotch: not enough memory");
  }
  ~Made() { kEnd(&value_); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  T* operator&() { return &value_; }

 private:
  T value_;
};

void require_done(int code, std::string_view what) {
  if (code != 0) fail("Scotch: {} went wrong; there may not be enough memory", what);
}

}  // namespace

std::vector<std::int32_t> scotch_parts(const GraphRows& graph, int parts) {
  static_assert(sizeof(SCOTCH_Num) == sizeof(NodeId));
  constexpr auto kMostArcs = std::numeric_limits<SCOTCH_Num>::max();
  const auto arcs = static_cast<std::int64_t>(graph.targets.size());
  if (arcs + kWorkOfRow * graph.nodes() > kMostArcs)
    fail("Scotch counts {} arcs and rows at most, a row as {}; here are {}; --method stream has no such end",
         kMostArcs, kWorkOfRow, arcs + kWorkOfRow * graph.nodes());
  const auto nodes = static_cast<SCOTCH_Num>(graph.nodes());
  const std::vector<SCOTCH_Num> offsets(graph.offsets.begin(), graph.offsets.end());
  std::vector<SCOTCH_Num> work(at(nodes));
  for (std::size_t u = 0; u < work.size(); ++u)
    work[u] = offsets[u + 1] - offsets[u] + static_cast<SCOTCH_Num>(kWorkOfRow);

  Made<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit> context;
  require_done(SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1), "its beginning");
  require_done(SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1), "its beginning");
  Made<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit> whole, bound;
  require_done(SCOTCH_graphBuild(&whole, 0, nodes, offsets.data(), nullptr, work.data(), nullptr,
                                 static_cast<SCOTCH_Num>(arcs), graph.targets.data(), nullptr),
               "taking the graph");
  require_done(SCOTCH_contextBindGraph(&context, &whole, &bound), "taking the graph");
  Made<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit> strategy;
  std::vector<std::int32_t> part_of(at(nodes));
  if (nodes > 0) require_done(SCOTCH_graphPart(&bound, parts, &strategy, part_of.data()), "partitioning");
  return part_of;
}

}  // namespace heatfront
