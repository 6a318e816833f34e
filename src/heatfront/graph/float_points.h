// SPDX-License-Identifier: MIT
// Points as faiss takes them, in single precision: x̃ = s·(x − mean), rounded, with s the power of two that
// brings the largest coordinate into [½, 1). Moved to their middle, points far from the origin keep their
// differences; scaled, no square can overflow.
#pragma once

#include <cstdint>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"

namespace heatfront::knn {

class FloatPoints {
 public:
  explicit FloatPoints(ConstMatrixView points);

  std::int64_t rows() const { return points_.rows; }
  std::int64_t cols() const { return points_.cols; }
  double scale() const { return scale_; }

  void append(NodeId u, std::vector<float>& rows) const;  // x̃_u

 private:
  ConstMatrixView points_;
  std::vector<double> mean_;
  double scale_ = 1;
};

}  // namespace heatfront::knn
