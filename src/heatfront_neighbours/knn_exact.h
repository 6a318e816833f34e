// SPDX-License-Identifier: MIT
// The true nearest neighbours of some of the points, at the speed of matrix products.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"
#include "heatfront_neighbours/float_points.h"
#include "heatfront_neighbours/knn_search.h"

namespace heatfront::knn {

class ExactSearch {
 public:
  using PutNearest = std::function<void(NodeId, std::span<const Candidate>)>;

  ExactSearch(ConstMatrixView points, const FloatPoints& floats, int k, Threads& threads);

  // Calls put(u, the k nearest of u, in order) for each query, on the calling thread.
  void search(std::span<const NodeId> queries, const PutNearest& put) const;

 private:
  std::vector<NodeId> answer(std::span<const NodeId> queries, std::int64_t width,
                             const PutNearest& put) const;
  double bound_of_others(NodeId u, double worst) const;

  ConstMatrixView points_;
  const FloatPoints& floats_;
  int k_;
  std::vector<float> norms_;  // ‖x̃‖²
};

}  // namespace heatfront::knn
