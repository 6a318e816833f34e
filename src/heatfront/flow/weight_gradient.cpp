// SPDX-License-Identifier: MIT
#include <cassert>

#include "heatfront/flow/laplacian_row.h"

namespace heatfront {
// With q the operator's gradient over its metric, so that A_uv = λ w_uv/d_u has ∂L/∂A_uv = d_u q_uv:
//
//     ∂L/∂w_e = λ (q_uv + q_vu) + D_u + D_v,     D_u = −λ/d_u (Σ_v q_uv w_uv + ℓ q_u)       (rows by degree)
//     and in root coordinates, through x = D^−½ f at both ends,  D_u += (⟨∂end, end⟩ − ⟨∂start, start⟩)_u / 2d_u.
//     Without division by degree:  ∂L/∂w_e = λ (q_uv + q_vu − q_u − q_v).
void Laplacian::weight_gradient(const OperatorGradient& gradient, ConstMatrixView start,
                                ConstMatrixView d_start, ConstMatrixView end, ConstMatrixView d_end,
                                std::span<const ArcId> reverse, WeightGradient& result) const {
  assert(speeds_.empty());
  std::vector<double>& by_degree = result.by_degree;
  by_degree.resize(at(rows()));
  result.edges.resize(at(graph_.arcs()));
  const FlowEnds ends{start, d_start, end, d_end};
  const std::int64_t block = rows_a_block(1);
  threads_.for_blocks(rows(), block, [&](std::int64_t first, std::int64_t last) {
    for (auto u = static_cast<NodeId>(first); u < last; ++u) {
      const std::size_t first_arc = at(graph_.begin_of(u)), arcs = at(graph_.degree(u));
      by_degree[at(u)] = gradient_by_degree(
          kind_, self_loop_, lambda_, static_cast<double>(degrees_[at(u)]),
          static_cast<double>(gradient.diagonal[at(u)]), std::span(gradient.entries).subspan(first_arc, arcs),
          weights_.empty() ? weights_ : weights_.subspan(first_arc, arcs), ends, u);
    }
  });
  result.self_loop = 0;
  for (std::size_t u = 0; u < by_degree.size() && kind_.by_degree; ++u)
    result.self_loop += lambda_ * static_cast<double>(gradient.diagonal[u]) + by_degree[u];
  threads_.for_blocks(rows(), block, [&](std::int64_t first, std::int64_t last) {
    for (auto u = static_cast<NodeId>(first); u < last; ++u) {
      for (ArcId arc = graph_.begin_of(u); arc < graph_.begin_of(u + 1); ++arc) {
        const double both = static_cast<double>(gradient.entries[at(arc)]) +
                            static_cast<double>(gradient.entries[at(reverse[at(arc)])]);
        result.edges[at(arc)] =
            static_cast<Real>(lambda_ * both + by_degree[at(u)] + by_degree[at(graph_.targets()[at(arc)])]);
      }
    }
  });
}

}  // namespace heatfront
