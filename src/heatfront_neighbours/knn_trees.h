// SPDX-License-Identifier: MIT
// Random trees over points. Each halves the points again and again, at the median of their projections on the line
// between two means of a sample, until a leaf has few. All trees have leaves of the same sizes, so a tree is an order of
// the points. Ties are halved by number: points that are all the same do no harm.
#pragma once

#include <cstdint>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/base/types.h"
#include "heatfront_neighbours/float_points.h"

namespace heatfront::knn {

struct RandomTrees {
  std::vector<std::int64_t> bounds;         // leaf i is bounds[i] … bounds[i + 1] − 1 of an order
  std::vector<std::vector<NodeId>> orders;  // one a tree
};

RandomTrees grow_trees(const FloatPoints& points, std::int64_t trees, std::int64_t leaf, const Random& random,
                       Threads& threads);

}  // namespace heatfront::knn
