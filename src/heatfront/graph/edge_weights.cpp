// SPDX-License-Identifier: MIT
#include "heatfront/graph/edge_weights.h"

#include <cmath>

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

namespace {

constexpr std::int64_t kCost = 16;  // of a sigmoid, in additions

// each(i) for every arc.
template <class Each>
void for_arcs(std::int64_t arcs, Threads& threads, const Each& each) {
  threads.for_blocks(arcs, rows_at_once(arcs, kCost), [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) each(i);
  });
}

}  // namespace

void edge_weights(std::span<const Real> theta, std::span<const ArcId> reverse, std::span<const Real> own,
                  std::span<Real> weights, Threads& threads) {
  for_arcs(std::ssize(weights), threads, [&](std::size_t i) {
    const Real mean = (theta[i] + theta[static_cast<std::size_t>(reverse[i])]) / 2;
    weights[i] = (own.empty() ? Real(1) : own[i]) / (1 + std::exp(-mean));
  });
}

void edge_weights_backward(std::span<const Real> weights, std::span<const Real> own,
                           std::span<const Real> d_weights, std::span<Real> d_theta, Threads& threads) {
  for_arcs(std::ssize(weights), threads, [&](std::size_t i) {
    const Real most = own.empty() ? Real(1) : own[i];
    const Real sigmoid = most > 0 ? weights[i] / most : Real(0);
    d_theta[i] = d_weights[i] * weights[i] * (1 - sigmoid) / 2;
  });
}

}  // namespace heatfront
