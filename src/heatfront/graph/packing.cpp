// SPDX-License-Identifier: MIT
#include "heatfront/graph/packing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heatfront {

// A ring at distance R of the middle holds discs of radii r_i ≤ r as long as Σ 2 asin(r_i / R) ≤ 2π: each then stays in a sector of its own.
// Rings are as wide as their first disc.
std::vector<Point> pack_discs(std::span<const double> radii) {
  std::vector<Point> centres(radii.size());
  double inside = radii.empty() ? 0 : radii[0];
  for (std::size_t first = 1; first < radii.size();) {
    const double distance = inside + radii[first];
    double angles = 0;
    std::size_t last = first;
    for (; last < radii.size(); ++last) {
      const double angle = 2 * std::asin(std::min(1.0, radii[last] / distance));
      if (last > first && angles + angle > 2 * std::numbers::pi) break;
      angles += angle;
    }
    const double gap = (2 * std::numbers::pi - angles) / static_cast<double>(last - first);
    double angle = 0;
    for (std::size_t i = first; i < last; ++i) {
      const double half = std::asin(std::min(1.0, radii[i] / distance)) + gap / 2;
      angle += half;
      centres[i] = {distance * std::cos(angle), distance * std::sin(angle)};
      angle += half;
    }
    inside += 2 * radii[first];
    first = last;
  }
  return centres;
}

}  // namespace heatfront
