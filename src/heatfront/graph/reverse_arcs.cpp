// SPDX-License-Identifier: MIT
#include "heatfront/graph/reverse_arcs.h"

namespace heatfront {

// Walking the arcs (u, v) in order of u meets the arcs of every v in their own order: one cursor a node.
std::vector<ArcId> reverse_arcs(const Graph& graph) {
  std::vector<ArcId> reverse(static_cast<std::size_t>(graph.arcs()));
  std::vector<ArcId> cursor(graph.offsets().begin(), graph.offsets().end() - 1);
  for (std::size_t a = 0; a < reverse.size(); ++a) {
    reverse[a] = cursor[static_cast<std::size_t>(graph.targets()[a])]++;
  }
  return reverse;
}

}  // namespace heatfront
