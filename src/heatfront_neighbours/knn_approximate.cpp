// SPDX-License-Identifier: MIT
// Approximate nearest neighbours: pairs that share a leaf of a random tree, then neighbours of neighbours, both found in few
// coordinates where these tell near points apart. What is found is ordered by exact distances, a point for which too little
// is found is compared with all, and recall is measured on a sample.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "heatfront/base/random.h"
#include "heatfront_neighbours/float_points.h"
#include "heatfront_neighbours/knn_descent.h"
#include "heatfront_neighbours/knn_exact.h"
#include "heatfront_neighbours/knn_leaves.h"
#include "heatfront_neighbours/knn_search.h"
#include "heatfront_neighbours/knn_trees.h"
#include "heatfront_neighbours/near_lists.h"
#include "heatfront_neighbours/principal_axes.h"

namespace heatfront::knn {
namespace {

constexpr std::int64_t kTrees = 6;
constexpr std::int64_t kLeaf = 128;         // points, at least
constexpr std::int64_t kLeastWidth = 20;    // of the lists of candidates
constexpr std::int64_t kSample = 192;       // points on which recall is measured
constexpr std::int64_t kSampleAtOnce = 96;  // wide enough for matrix products

std::vector<NodeId> shuffled(std::int64_t points, const Random& random) {
  std::vector<NodeId> order(static_cast<std::size_t>(points));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

// The share of neighbours found, on the sample, that are no farther than the true k-th: ties count as found.
double measure_recall(const ExactSearch& exact, std::span<const NodeId> sample, Threads& threads,
                      const Neighbours& result) {
  const auto found = threads.sum_blocks<std::int64_t>(
      std::ssize(sample), kSampleAtOnce, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t count = 0;
        exact.search(
            sample.subspan(at(begin), at(end - begin)), [&](NodeId u, std::span<const Candidate> nearest) {
              const Real farthest = static_cast<Real>(std::sqrt(nearest.back().squared));
              count += std::ranges::count_if(result.distances_of(u), [&](Real x) { return x <= farthest; });
            });
        return count;
      });
  return static_cast<double>(found) / static_cast<double>(result.k * std::ssize(sample));
}

}  // namespace

void search_approximately(ConstMatrixView points, std::uint64_t seed, Threads& threads,
                          const ProgressCallback& progress, Neighbours& result) {
  const Random random(seed);
  const auto tell = [&](std::int64_t trees) {
    report(progress, {"comparing points in leaves", trees, kTrees, "trees"});
  };
  tell(0);
  const FloatPoints floats(points, threads);
  const std::int64_t width = std::max<std::int64_t>(kLeastWidth, 2 * result.k);
  const std::int64_t leaf = std::max(kLeaf, 2 * width);
  std::vector<NodeId> names(at(points.rows));  // of the points seen
  std::iota(names.begin(), names.end(), 0);
  auto few = in_few_coordinates(floats, random.part(0), threads);
  if (few) {  // near points side by side: fewer pages to look into
    names = grow_trees(*few, 1, leaf, random.part(3), threads).orders.front();
    few = few->in_order(names, threads);
  }
  const FloatPoints& seen = few ? *few : floats;
  const RandomTrees trees = grow_trees(seen, kTrees, leaf, random.part(1), threads);
  NearLists lists(points.rows, width);
  for (std::int64_t tree = 0; tree < kTrees; ++tree) {
    compare_in_leaves(seen, trees.orders[at(tree)], trees.bounds, threads, lists);
    tell(tree + 1);
  }
  const std::span<const NodeId> order = trees.orders.front();
  ask_neighbours(seen, order, threads, progress, lists);

  for_points(points.rows, "finding neighbours", threads, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> ids(lists.width());
    for (NodeId place : order.subspan(at(begin), at(end - begin))) {
      std::ranges::transform(lists.of(place), ids.begin(),
                             [&](const Near& near) { return near.id < 0 ? -1 : names[at(near.id)]; });
      const NodeId u = names[at(place)];
      auto nearest = nearest_among(points, u, ids, result.k);
      if (std::ssize(nearest) < result.k) nearest = nearest_of_all(points, u, result.k);
      put_row(nearest, u, result);
    }
  });

  const auto sample = shuffled(points.rows, random.part(2));
  const ExactSearch exact(points, floats, result.k, threads);
  result.recall =
      measure_recall(exact, std::span(sample).first(at(std::min(kSample, points.rows))), threads, result);
}

}  // namespace heatfront::knn
