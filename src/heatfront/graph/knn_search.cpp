// SPDX-License-Identifier: MIT
#include "heatfront/graph/knn_search.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace heatfront::knn {
namespace {

// Σ (x_i − y_i)², in eight sums that take turns: one order for every machine, and room for vector
// instructions.
double squared_distance(std::span<const Real> x, std::span<const Real> y) {
  constexpr std::size_t kSums = 8;
  std::array<double, kSums> sums{};
  const auto add = [&](std::size_t sum, std::size_t i) {
    const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
    sums[sum] += difference * difference;
  };
  const std::size_t whole = x.size() - x.size() % kSums;
  for (std::size_t i = 0; i < whole; i += kSums) {
    for (std::size_t sum = 0; sum < kSums; ++sum) add(sum, i + sum);
  }
  for (std::size_t i = whole; i < x.size(); ++i) add(i - whole, i);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
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
    candidates.push_back({squared_distance(points.row(u), points.row(v)), static_cast<NodeId>(v)});
  }
  keep_nearest(candidates, k);
  return candidates;
}

std::vector<Candidate> nearest_of_all(ConstMatrixView points, NodeId u, int k) {
  std::vector<Candidate> candidates;
  candidates.reserve(static_cast<std::size_t>(points.rows));
  for (NodeId v = 0; v < points.rows; ++v) {
    if (v != u) candidates.push_back({squared_distance(points.row(u), points.row(v)), v});
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
