// SPDX-License-Identifier: MIT
// Approximate nearest neighbours by faiss' hierarchical small-world graph (HNSW). The graph is grown by one
// thread, because the order of insertion shapes it; searches share it. What is found is ordered by exact
// distances, a point for which too little is found is compared with all, and recall is measured on a sample.
#include <faiss/AutoTune.h>
#include <faiss/index_factory.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "heatfront/base/random.h"
#include "heatfront/graph/float_points.h"
#include "heatfront/graph/knn_search.h"

namespace heatfront::knn {
namespace {

constexpr const char* kIndex = "HNSW32,Flat";  // 32 links a point and level
constexpr int kGrowWidth = 40;                 // candidates for links, when a point is inserted
constexpr int kSearchWidth = 64;               // candidates kept during a search, at least
constexpr std::int64_t kSample = 200;          // points on which recall is measured

std::vector<NodeId> shuffled(std::int64_t points, const Random& random) {
  std::vector<NodeId> order(static_cast<std::size_t>(points));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

std::unique_ptr<faiss::Index> grow(const FloatPoints& points, std::span<const NodeId> order, int k,
                                   const ProgressCallback& progress) {
  const OneOpenMpThread one;
  std::unique_ptr<faiss::Index> index(faiss::index_factory(static_cast<int>(points.cols()), kIndex));
  const faiss::ParameterSpace parameters;
  parameters.set_index_parameter(index.get(), "efConstruction", kGrowWidth);
  parameters.set_index_parameter(index.get(), "efSearch", std::max(kSearchWidth, 2 * (k + 1)));
  // Every call of add() looks at all points before it, so their number is limited.
  const std::size_t block = std::max<std::size_t>(1024, order.size() / 64);
  std::vector<float> rows;
  for (std::size_t begin = 0; begin < order.size(); begin += block) {
    report(progress,
           {"growing the graph of points", static_cast<std::int64_t>(begin), points.rows(), "points"});
    const auto part = order.subspan(begin, std::min(block, order.size() - begin));
    rows.clear();
    for (NodeId u : part) points.append(u, rows);
    index->add(static_cast<std::int64_t>(part.size()), rows.data());
  }
  return index;
}

// The share of neighbours found, on the sample, that are no farther than the true k-th: ties count as found.
double measure_recall(ConstMatrixView points, std::span<const NodeId> sample, Threads& threads,
                      const Neighbours& result) {
  const auto found = threads.sum_blocks<std::int64_t>(
      static_cast<std::int64_t>(sample.size()), 1, [&](std::int64_t i, std::int64_t) {
        const NodeId u = sample[static_cast<std::size_t>(i)];
        const auto truth = nearest_of_all(points, u, result.k);
        const Real farthest = static_cast<Real>(std::sqrt(truth.back().squared));
        return std::ranges::count_if(result.distances_of(u),
                                     [&](Real distance) { return distance <= farthest; });
      });
  return static_cast<double>(found) /
         static_cast<double>(result.k * static_cast<std::int64_t>(sample.size()));
}

}  // namespace

void search_approximately(ConstMatrixView points, std::uint64_t seed, Threads& threads,
                          const ProgressCallback& progress, Neighbours& result) {
  const Random random(seed);
  const FloatPoints floats(points);
  const std::vector<NodeId> order = shuffled(points.rows, random.part(0));
  const auto index = grow(floats, order, result.k, progress);
  const std::int64_t width = std::min<std::int64_t>(2 * (result.k + 1), points.rows);

  for_points(points.rows, threads, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> rows;
    for (std::int64_t u = begin; u < end; ++u) floats.append(static_cast<NodeId>(u), rows);
    const auto found = static_cast<std::size_t>((end - begin) * width);
    std::vector<float> f(found);
    std::vector<std::int64_t> ids(found);  // in order of insertion, −1 where there are no more
    index->search(end - begin, rows.data(), width, f.data(), ids.data());
    for (std::int64_t& id : ids) id = id < 0 ? id : order[static_cast<std::size_t>(id)];
    for (std::int64_t u = begin; u < end; ++u) {
      const auto own = std::span(ids).subspan(static_cast<std::size_t>((u - begin) * width),
                                              static_cast<std::size_t>(width));
      auto nearest = nearest_among(points, static_cast<NodeId>(u), own, result.k);
      if (std::ssize(nearest) < result.k) nearest = nearest_of_all(points, static_cast<NodeId>(u), result.k);
      put_row(nearest, static_cast<NodeId>(u), result);
    }
  });

  const auto sample = shuffled(points.rows, random.part(1));
  const auto size = static_cast<std::size_t>(std::min(kSample, points.rows));
  result.recall = measure_recall(points, std::span(sample).first(size), threads, result);
}

}  // namespace heatfront::knn
