// SPDX-License-Identifier: MIT
// What is computed of a Laplacian row by row, whoever has the rows: then its numbers have the same bits everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "heatfront/flow/laplacian.h"

namespace heatfront {

struct LaplacianRow {
  Real degree, root, inverse_root;  // d, √d, 1/√d
  Real scale, shift;                // a and b of the row kernel
  double share;                     // 1/d where rows are divided by their degree, else 1
};

// Of a row with a loop of this weight and arcs of so much to others.
inline LaplacianRow laplacian_row(const LaplacianEntry& kind, double loop, double to_others, double speed) {
  const double degree = loop + to_others;
  const double safe = degree < kLeastDegree ? 1 : degree;
  const double share = kind.by_degree ? 1 / safe : 1;
  return {.degree = static_cast<Real>(safe),
          .root = static_cast<Real>(std::sqrt(safe)),
          .inverse_root = static_cast<Real>(1 / std::sqrt(safe)),
          .scale = static_cast<Real>(speed * share),
          .shift = static_cast<Real>(speed * share * to_others),
          .share = share};
}

// Of the bound on the spectrum (Laplacian::bound_spectrum): the steps of new weights and of later ones, y_u after a step, and what the
// bound says.
inline constexpr int kBoundingSweeps = 6, kLaterSweeps = 1;
inline double next_bounding(double image, double bound, double y) {  // shifted, so y stays positive
  constexpr double kLeastBounding = 1e-12;
  return std::max((image / bound + 0.5 * y) / 1.5, kLeastBounding);
}
inline double lowest_by(double bound) {
  return -bound * (1 + 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()));
}

// D_u of Laplacian::weight_gradient, where the formula stands; `entries` and `weights` (empty: all 1) are those of the row's arcs.
struct FlowEnds {
  ConstMatrixView start, d_start, end, d_end;
};
inline double gradient_by_degree(const LaplacianEntry& kind, double self_loop, double speed, double degree,
                                 double diagonal, std::span<const Real> entries,
                                 std::span<const Real> weights, const FlowEnds& of, std::int64_t u) {
  if (!kind.by_degree) return -speed * diagonal;
  double sum = self_loop * diagonal;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double weight = weights.empty() ? 1 : static_cast<double>(weights[i]);
    sum += weight * static_cast<double>(entries[i]);
  }
  double by = -speed * sum;
  if (kind.root_coordinates) {
    for (std::int64_t c = 0; c < of.start.cols; ++c) {
      by += (static_cast<double>(of.d_end(u, c)) * static_cast<double>(of.end(u, c)) -
             static_cast<double>(of.d_start(u, c)) * static_cast<double>(of.start(u, c))) /
            2;
    }
  }
  return by / degree;
}

// Error where an operator of these degrees takes this state, in its coordinates, out of the range of numbers.
void require_representable(const Operator& a, std::span<const Real> degrees, ConstMatrixView state);

}  // namespace heatfront
