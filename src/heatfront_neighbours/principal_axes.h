// SPDX-License-Identifier: MIT
// Points in few coordinates: their projections on the axes along which they spread most, found on a sample by subspace
// iteration. Images and the like keep near points near in a tenth of their coordinates.
#pragma once

#include <optional>

#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront_neighbours/float_points.h"

namespace heatfront::knn {

// Nothing if there is little to gain, or if points of the sample and their nearest there would lose much of their
// distance.
std::optional<FloatPoints> in_few_coordinates(const FloatPoints& points, const Random& random,
                                              Threads& threads);

}  // namespace heatfront::knn
