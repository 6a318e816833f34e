// SPDX-License-Identifier: MIT
// Neighbours of neighbours are likely neighbours: rounds that offer them to every list. (Dong, Moses and Li: Efficient
// k-nearest neighbor graph construction for generic similarity measures, 2011.)
#pragma once

#include <cstdint>
#include <span>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/base/types.h"
#include "heatfront_neighbours/float_points.h"
#include "heatfront_neighbours/near_lists.h"

namespace heatfront::knn {

// Rounds until few lists change. Points are taken in `order`, best with near points near each other.
void ask_neighbours(const FloatPoints& points, std::span<const NodeId> order, Threads& threads,
                    const ProgressCallback& progress, NearLists& lists);

}  // namespace heatfront::knn
