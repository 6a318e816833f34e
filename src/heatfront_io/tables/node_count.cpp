// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/node_count.h"

#include "heatfront/base/fail.h"

namespace heatfront {

NodeId checked_node_count(std::int64_t declared, std::int64_t arcs, const std::string& place) {
  constexpr std::int64_t kAlways = 1 << 20;
  constexpr std::int64_t kAnArc = 16;
  if (declared < 0 || declared > kMostNodes)
    fail("{}: {} nodes; there can be 1 to {}", place, declared, kMostNodes);
  if (declared > kAlways && declared / kAnArc > arcs) {
    fail("{}: {} nodes, but {} arcs; so few cannot be meant to join so many", place, declared, arcs);
  }
  return static_cast<NodeId>(declared);
}

}  // namespace heatfront
