// SPDX-License-Identifier: MIT
// All pairs of points that share a leaf of a tree, by one product of matrices a leaf.
#pragma once

#include <cstdint>
#include <span>

#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"
#include "heatfront_neighbours/float_points.h"
#include "heatfront_neighbours/near_lists.h"

namespace heatfront::knn {

// `order` is a tree's and `bounds` are those of its leaves. A point is in one leaf, so its list has one writer.
void compare_in_leaves(const FloatPoints& points, std::span<const NodeId> order,
                       std::span<const std::int64_t> bounds, Threads& threads, NearLists& lists);

}  // namespace heatfront::knn
