// SPDX-License-Identifier: MIT
// The k nearest neighbours of every point, itself left out, ordered by distance, then by number:
//
//     euclidean   dist(u, v) = ‖x_u − x_v‖
//     cosine      the same between rows scaled to length 1, so that dist² = 2 − 2 cos(x_u, x_v)
//
// Exact unless told otherwise. Distances are computed in double precision, in a fixed order, and compared as
// such; the answer is the same for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront/base/types.h"

namespace heatfront {

enum class Metric { euclidean, cosine };

struct KnnOptions {
  int k = 10;
  Metric metric = Metric::euclidean;
  bool approximate =
      false;  // search leaves of random trees, then neighbours of neighbours, instead of all points
  std::uint64_t seed = 0;                            // of the trees, and of the sample that measures recall
  std::int64_t dense_limit = std::int64_t{4} << 30;  // most bytes that sparse points may take when made dense
};

struct Neighbours {
  std::int64_t points = 0;
  int k = 0;
  Metric metric = Metric::euclidean;
  std::vector<NodeId> ids;      // (points, k)
  std::vector<Real> distances;  // (points, k), not squared
  double recall =
      1;  // share of the true neighbours found; when approximate, measured on a sample of the points

  std::span<const NodeId> ids_of(std::int64_t u) const { return std::span(ids).subspan(row(u), row(1)); }
  std::span<const Real> distances_of(std::int64_t u) const {
    return std::span(distances).subspan(row(u), row(1));
  }

 private:
  std::size_t row(std::int64_t u) const { return static_cast<std::size_t>(u * k); }
};

// Points are finite, none larger than 1e30 in size, more than k of them; rows of zeros have no cosine and are
// refused there. `progress` is called by the calling thread only.
Neighbours nearest_neighbours(ConstMatrixView points, const KnnOptions& options, Threads& threads,
                              const ProgressCallback& progress = {});
Neighbours nearest_neighbours(const SparseMatrix& points, const KnnOptions& options, Threads& threads,
                              const ProgressCallback& progress = {});

}  // namespace heatfront
