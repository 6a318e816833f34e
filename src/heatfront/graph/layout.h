// SPDX-License-Identifier: MIT
// Places for nodes in the plane, by forces (ForceAtlas2; Jacomy, Venturini, Heymann and Bastian 2014). With m_u = 1 + degree of u, in each round
//
//     force(u) = Σ_v m_u m_v (x_u − x_v) / |x_u − x_v|²     all push each other away, hubs more (graph/repulsion.h)
//              + Σ_{v ~ u} w_uv (x_v − x_u)                 edges pull
//              − g m_u x_u                                  and all are pulled to the middle: without edges they would fill a disc evenly
//
// and every node goes along it, less far the more it swings. Where a graph is large it is first laid out coarsely, groups of neighbours as
// one node, so that it unfolds in few rounds. A round reads what the round before has left, so the places are the same bits for any
// number of threads.
//
// Components are laid out apart, scaled so that a node takes the same area in each, and packed in rings around the largest: strays stay
// small and do not shrink the rest. The unit of length is such that n nodes fill about a disc of radius √n.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct LayoutOptions {
  std::int64_t rounds = 300;
  double gravity = 0.03;
  double opening = 1;  // of squares of nodes that push as one; 0: never
  std::int64_t seed = 0;
};
OptionFields fields(LayoutOptions& options);

// A layout that can go on: the page shows it as it is and asks for more.
class Layout {
 public:
  // Weights: one per arc, empty: all 1; edges of weight 0 do not count. Coarse places at once, no rounds yet.
  Layout(const Graph& graph, std::span<const Real> weights, const LayoutOptions& options, Threads& threads);
  // The same from places that are there already (n, 2), as positions() gave them once; Error where they are not so many, or not finite.
  Layout(const Graph& graph, std::span<const Real> weights, const LayoutOptions& options,
         ConstMatrixView start, Threads& threads);
  ~Layout();
  Layout(Layout&&) noexcept;
  Layout& operator=(Layout&&) noexcept;

  void advance(std::int64_t rounds, Threads& threads, const ProgressCallback& progress = {});
  std::int64_t rounds() const { return rounds_; }  // so far

  Matrix positions() const;  // (n, 2), components packed, the middle at 0

 private:
  class Component;

  void split(const Graph& graph, std::span<const Real> weights, const LayoutOptions& options);

  NodeId nodes_;
  std::vector<Component> components_;  // the largest first
  std::int64_t rounds_ = 0;
};

// All rounds of the options: (n, 2).
Matrix layout(const Graph& graph, std::span<const Real> weights, const LayoutOptions& options,
              Threads& threads, const ProgressCallback& progress = {});

}  // namespace heatfront
