// SPDX-License-Identifier: MIT
// Approximate nearest neighbours by faiss' hierarchical small-world graph (HNSW). The graph is grown by one
// thread, because the order of insertion shapes it; searches share it. What is found is ordered by exact
// distances, a point for which too little is found is compared with all, and recall is measured on a sample.
#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "heatfront/base/random.h"
#include "heatfront/base/simd.h"
#include "heatfront/graph/float_points.h"
#include "heatfront/graph/knn_search.h"

namespace heatfront::knn {
namespace {

constexpr int kLinks = 16;             // a point and level
constexpr int kGrowWidth = 40;         // candidates for links, when a point is inserted
constexpr int kSearchWidth = 64;       // candidates kept during a search, at least
constexpr std::int64_t kSample = 200;  // points on which recall is measured

// Σ (x_i − y_i)² in single precision, good enough to find candidates. Distributions build faiss for any x86-64, where
// its own takes ten times as long.
HEATFRONT_CLONES float quick_squared_distance(const float* x, const float* y, std::size_t size) {
  constexpr std::size_t kSums = 64;
  float sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= size; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) sums[j] += (x[i + j] - y[i + j]) * (x[i + j] - y[i + j]);
  }
  for (std::size_t j = 0; i + j < size; ++j) sums[j] += (x[i + j] - y[i + j]) * (x[i + j] - y[i + j]);
  for (std::size_t half = kSums / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return sums[0];
}

class QuickDistances : public faiss::FlatCodesDistanceComputer {
 public:
  explicit QuickDistances(const faiss::IndexFlat& points)
      : FlatCodesDistanceComputer(points.codes.data(), points.code_size), points_(points) {}

  void set_query(const float* x) override { query_ = x; }
  float distance_to_code(const std::uint8_t* code) override {
    return quick_squared_distance(query_, reinterpret_cast<const float*>(code), size());
  }
  float symmetric_dis(idx_t i, idx_t j) override { return quick_squared_distance(row(i), row(j), size()); }

 private:
  std::size_t size() const { return static_cast<std::size_t>(points_.d); }
  const float* row(idx_t i) const { return points_.get_xb() + static_cast<std::size_t>(i) * size(); }

  const faiss::IndexFlat& points_;
  const float* query_ = nullptr;
};

struct QuickPoints : faiss::IndexFlatL2 {
  using IndexFlatL2::IndexFlatL2;
  faiss::FlatCodesDistanceComputer* get_FlatCodesDistanceComputer() const override {
    return new QuickDistances(*this);  // faiss deletes it
  }
};

// The points and the graph over them.
struct SmallWorld {
  SmallWorld(int cols, int search_width) : points(cols), graph(&points, kLinks) {
    graph.hnsw.efConstruction = kGrowWidth;
    graph.hnsw.efSearch = search_width;
  }
  SmallWorld(const SmallWorld&) = delete;  // the graph points to the points
  SmallWorld& operator=(const SmallWorld&) = delete;

  QuickPoints points;
  faiss::IndexHNSW graph;
};

std::vector<NodeId> shuffled(std::int64_t points, const Random& random) {
  std::vector<NodeId> order(static_cast<std::size_t>(points));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

void grow(const FloatPoints& points, std::span<const NodeId> order, const ProgressCallback& progress,
          faiss::IndexHNSW& graph) {
  const OneOpenMpThread one;
  // Every call of add() looks at all points before it, so their number is limited.
  const std::size_t block = std::max<std::size_t>(1024, order.size() / 64);
  std::vector<float> rows;
  for (std::size_t begin = 0; begin < order.size(); begin += block) {
    report(progress,
           {"growing the graph of points", static_cast<std::int64_t>(begin), points.rows(), "points"});
    const auto part = order.subspan(begin, std::min(block, order.size() - begin));
    rows.clear();
    for (NodeId u : part) points.append(u, rows);
    graph.add(static_cast<std::int64_t>(part.size()), rows.data());
  }
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
  SmallWorld world(static_cast<int>(points.cols), std::max(kSearchWidth, 2 * (result.k + 1)));
  grow(floats, order, progress, world.graph);
  const std::int64_t width = std::min<std::int64_t>(2 * (result.k + 1), points.rows);

  for_points(points.rows, threads, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> rows;
    for (std::int64_t u = begin; u < end; ++u) floats.append(static_cast<NodeId>(u), rows);
    const auto found = static_cast<std::size_t>((end - begin) * width);
    std::vector<float> f(found);
    std::vector<std::int64_t> ids(found);  // in order of insertion, −1 where there are no more
    world.graph.search(end - begin, rows.data(), width, f.data(), ids.data());
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
