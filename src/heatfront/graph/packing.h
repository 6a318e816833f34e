// SPDX-License-Identifier: MIT
// Discs in the plane that do not overlap: the first in the middle, the others in rings around it.
#pragma once

#include <span>
#include <vector>

#include "heatfront/graph/repulsion.h"

namespace heatfront {

// The centres, by disc; radii are above 0, and descend after the first.
std::vector<Point> pack_discs(std::span<const double> radii);

}  // namespace heatfront
