// SPDX-License-Identifier: MIT
// Points in single precision, in which candidates are searched: x̃ = s·(x − mean), rounded, with s the power of two that
// brings the largest coordinate into [½, 1). Moved to their middle, points far from the origin keep their differences;
// scaled, no square can overflow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"

namespace heatfront::knn {

class FloatPoints {
 public:
  FloatPoints(ConstMatrixView points, Threads& threads);
  FloatPoints(std::int64_t rows, std::int64_t cols)
      : rows_(rows), cols_(cols), values_(at(rows * cols)) {}  // all 0

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  double scale() const { return scale_; }

  std::span<const float> row(std::int64_t u) const { return {values_.data() + u * cols_, at(cols_)}; }  // x̃_u
  BasicMatrixView<const float> view() const { return {values_.data(), rows_, cols_, cols_}; }
  BasicMatrixView<float> view() { return {values_.data(), rows_, cols_, cols_}; }

  FloatPoints in_order(std::span<const NodeId> order, Threads& threads) const;  // rows order[0], order[1], …

 private:
  std::int64_t rows_, cols_;
  double scale_ = 1;
  std::vector<float, CacheLineAllocator<float>> values_;
};

// C ← A Bᵀ, in blocks that depend on the shapes alone.
void multiply_by_transposed(const FloatPoints& a, const FloatPoints& b, Threads& threads, FloatPoints& c);

}  // namespace heatfront::knn
