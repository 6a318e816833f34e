// SPDX-License-Identifier: MIT
//     ‖x − y‖² = ‖x'‖² + ‖y'‖² − 2 x'·y'        x' = x − the leaf's first point
//
// Moved there, a leaf far from the middle of all points keeps its small distances.
#include "heatfront_neighbours/knn_leaves.h"

#include <algorithm>
#include <vector>

#include "heatfront/base/matrix_product.h"
#include "heatfront/base/simd.h"
#include "heatfront_neighbours/float_sums.h"

namespace heatfront::knn {
namespace {

constexpr std::int64_t kLeavesAtOnce = 8;

// to ← x − origin; returns ‖to‖².
HEATFRONT_CLONES float move_row(const float* x, const float* origin, std::size_t size, float* to) {
  for (std::size_t i = 0; i < size; ++i) to[i] = x[i] - origin[i];
  return quick_product(to, to, size);
}

class Leaf {
 public:
  explicit Leaf(const FloatPoints& points) : points_(points) {}

  void compare(std::span<const NodeId> leaf, NearLists& lists) {
    const auto size = std::ssize(leaf), cols = points_.cols();
    rows_.resize(at(size * cols));
    norms_.resize(leaf.size());
    products_.resize(at(size * size));
    const auto origin = points_.row(leaf.front());
    for (std::size_t i = 0; i < leaf.size(); ++i) {
      norms_[i] =
          move_row(points_.row(leaf[i]).data(), origin.data(), origin.size(), &rows_[i * origin.size()]);
    }
    const BasicMatrixView<const float> rows{rows_.data(), size, cols, cols};
    const BasicMatrixView<float> products{products_.data(), size, size, size};
    multiply_by_transposed_here(rows, rows, products);
    for (std::size_t i = 0; i < leaf.size(); ++i) {
      const auto list = lists.of(leaf[i]);
      const auto row = products.row(static_cast<std::int64_t>(i));
      for (std::size_t j = 0; j < leaf.size(); ++j) row[j] = norms_[i] + norms_[j] - 2 * row[j];
      for (std::size_t j = 0; j < leaf.size(); ++j) {
        if (row[j] > list.back().squared || j == i) continue;
        if (std::ranges::find(list, leaf[j], &Near::id) == list.end()) insert({row[j], leaf[j]}, list);
      }
    }
  }

 private:
  const FloatPoints& points_;
  std::vector<float> rows_, norms_, products_;  // of one leaf
};

}  // namespace

void compare_in_leaves(const FloatPoints& points, std::span<const NodeId> order,
                       std::span<const std::int64_t> bounds, Threads& threads, NearLists& lists) {
  threads.for_blocks(std::ssize(bounds) - 1, kLeavesAtOnce, [&](std::int64_t begin, std::int64_t end) {
    Leaf leaf(points);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = bounds[at(i)];
      leaf.compare(order.subspan(at(first), at(bounds[at(i + 1)] - first)), lists);
    }
  });
}

}  // namespace heatfront::knn
