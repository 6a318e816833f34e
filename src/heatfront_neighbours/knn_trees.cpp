// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/knn_trees.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "heatfront/base/simd.h"
#include "heatfront_neighbours/float_sums.h"

namespace heatfront::knn {
namespace {

constexpr std::int64_t kSketch = 128;  // coordinates by which trees see a point, at most
constexpr std::size_t kTrial = 32;     // points whose two means make a direction
constexpr int kMoves = 3;              // of the means
constexpr std::size_t kAlone = 4096;   // fewer points are not worth two threads

using Projected = std::pair<float, NodeId>;

// ⟨x_u, direction⟩ for each point of a list.
HEATFRONT_CLONES void project(const float* points, std::size_t cols, const float* direction,
                              std::span<Projected> list) {
  for (auto& [projection, u] : list) projection = quick_product(points + at(u) * cols, direction, cols);
}

// From one to the other of two means of the trial points, which begin at two of them. `means` (2, cols) is scratch.
HEATFRONT_CLONES void find_direction(std::span<const float* const, kTrial> trial, std::size_t cols,
                                     float* direction, float* means) {
  for (std::size_t j = 0; j < cols; ++j) {
    means[j] = trial[0][j];
    means[cols + j] = trial[1][j];
    direction[j] = means[cols + j] - means[j];
  }
  for (int move = 0; move < kMoves; ++move) {
    const float middle =
        (quick_product(means, direction, cols) + quick_product(means + cols, direction, cols)) / 2;
    float counts[2] = {};
    std::fill_n(means, 2 * cols, 0.0F);
    for (const float* x : trial) {
      const std::size_t side = quick_product(x, direction, cols) > middle ? 1 : 0;
      ++counts[side];
      for (std::size_t j = 0; j < cols; ++j) means[side * cols + j] += x[j];
    }
    if (counts[0] == 0 || counts[1] == 0) return;
    for (std::size_t j = 0; j < cols; ++j) {
      means[j] /= counts[0];
      means[cols + j] /= counts[1];
      direction[j] = means[cols + j] - means[j];
    }
  }
}

class Grower {
 public:
  Grower(const FloatPoints& points, std::int64_t leaf, Threads& threads)
      : points_(points), leaf_(at(leaf)), threads_(threads) {}

  std::vector<NodeId> grow(const Random& random) const {
    std::vector<Projected> points(at(points_.rows()));
    for (std::size_t u = 0; u < points.size(); ++u) points[u] = {0.0F, static_cast<NodeId>(u)};
    split(points, random);
    std::vector<NodeId> order(points.size());
    std::ranges::transform(points, order.begin(), &Projected::second);
    return order;
  }

 private:
  void split(std::span<Projected> points, const Random& random) const {
    if (points.size() <= leaf_) return;
    const auto direction = direction_of(points, random);
    project(points_.view().data, at(points_.cols()), direction.data(), points);
    const std::size_t half = points.size() / 2;
    std::ranges::nth_element(points, points.begin() + static_cast<std::ptrdiff_t>(half));
    threads_.for_blocks(2, points.size() < kAlone ? 2 : 1, [&](std::int64_t begin, std::int64_t end) {
      if (begin == 0) split(points.first(half), random.part(0));
      if (end == 2) split(points.subspan(half), random.part(1));
    });
  }

  std::vector<float> direction_of(std::span<const Projected> points, const Random& random) const {
    std::array<const float*, kTrial> trial;
    for (std::size_t i = 0; i < kTrial; ++i) {
      trial[i] = points_.row(points[random.below(points.size(), i)].second).data();
    }
    const std::size_t cols = at(points_.cols());
    std::vector<float> direction(cols), means(2 * cols);
    find_direction(trial, cols, direction.data(), means.data());
    return direction;
  }

  const FloatPoints& points_;
  std::size_t leaf_;
  Threads& threads_;
};

void add_bounds(std::int64_t begin, std::int64_t end, std::int64_t leaf, std::vector<std::int64_t>& bounds) {
  if (end - begin <= leaf) {
    bounds.push_back(end);
    return;
  }
  const std::int64_t middle = begin + (end - begin) / 2;
  add_bounds(begin, middle, leaf, bounds);
  add_bounds(middle, end, leaf, bounds);
}

// Projections on random signs.
FloatPoints sketch(const FloatPoints& points, const Random& random, Threads& threads) {
  FloatPoints signs(kSketch, points.cols()), result(points.rows(), kSketch);
  for (std::int64_t i = 0; i < kSketch; ++i) {
    const Random bits = random.part(static_cast<std::uint64_t>(i));
    for (std::int64_t j = 0; j < points.cols(); ++j) {
      signs.view()(i, j) = bits.bits(static_cast<std::uint64_t>(j)) >> 63 ? 1.0F : -1.0F;
    }
  }
  multiply_by_transposed(points, signs, threads, result);
  return result;
}

}  // namespace

RandomTrees grow_trees(const FloatPoints& points, std::int64_t trees, std::int64_t leaf, const Random& random,
                       Threads& threads) {
  std::optional<FloatPoints> few;
  if (points.cols() > kSketch) few = sketch(points, random.part(0), threads);
  const Grower grower(few ? *few : points, leaf, threads);
  RandomTrees result{.bounds = {0}, .orders = std::vector<std::vector<NodeId>>(at(trees))};
  add_bounds(0, points.rows(), leaf, result.bounds);
  threads.for_blocks(trees, 1, [&](std::int64_t tree, std::int64_t) {
    result.orders[at(tree)] = grower.grow(random.part(static_cast<std::uint64_t>(tree) + 1));
  });
  return result;
}

}  // namespace heatfront::knn
