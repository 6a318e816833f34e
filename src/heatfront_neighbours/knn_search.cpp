// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/knn_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "heatfront/base/simd.h"

namespace heatfront::knn {
namespace {

// Σ (x_i − y_i)², in sixteen sums that take turns: one order for every machine, and room for vector
// instructions.
HEATFRONT_CLONES double squared_distance(const Real* x, const Real* y, std::size_t size) {
  constexpr std::size_t kSums = 16;
  double sums[kSums] = {};
  const std::size_t whole = size - size % kSums;
  for (std::size_t i = 0; i < whole; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) {
      const double difference = static_cast<double>(x[i + j]) - static_cast<double>(y[i + j]);
      sums[j] += difference * difference;
    }
  }
  for (std::size_t i = whole; i < size; ++i) {
    const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
    sums[i - whole] += difference * difference;
  }
  for (std::size_t apart = 1; apart < kSums; apart *= 2) {
    for (std::size_t j = 0; j < kSums; j += 2 * apart) sums[j] += sums[j + apart];
  }
  return sums[0];
}

void keep_nearest(std::vector<Candidate>& candidates, int k) {
  const auto kept = std::min(candidates.size(), static_cast<std::size_t>(k));
  std::ranges::partial_sort(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(kept));
  candidates.resize(kept);
}

}  // namespace

std::vector<Candidate> nearest_among(ConstMatrixView points, NodeId u, std::span<const std::int64_t> ids,
                                     int k) {
  std::vector<Candidate> candidates;
  candidates.reserve(ids.size());
  for (std::int64_t v : ids) {
    if (v < 0 || v == u) continue;
    candidates.push_back({squared_distance(points.row(u).data(), points.row(v).data(), at(points.cols)),
                          static_cast<NodeId>(v)});
  }
  keep_nearest(candidates, k);
  return candidates;
}

std::vector<Candidate> nearest_of_all(ConstMatrixView points, NodeId u, int k) {
  std::vector<Candidate> candidates;
  candidates.reserve(static_cast<std::size_t>(points.rows));
  for (NodeId v = 0; v < points.rows; ++v) {
    if (v != u)
      candidates.push_back(
          {squared_distance(points.row(u).data(), points.row(v).data(), at(points.cols)), v});
  }
  keep_nearest(candidates, k);
  return candidates;
}

void put_row(std::span<const Candidate> nearest, NodeId u, Neighbours& result) {
  assert(nearest.size() == static_cast<std::size_t>(result.k));
  std::size_t place = static_cast<std::size_t>(u) * nearest.size();
  for (const Candidate& candidate : nearest) {
    result.ids[place] = candidate.id;
    result.distances[place++] = static_cast<Real>(std::sqrt(candidate.squared));
  }
}

}  // namespace heatfront::knn
