// SPDX-License-Identifier: MIT
#include "heatfront/graph/float_points.h"

#include <algorithm>
#include <cmath>

namespace heatfront::knn {

FloatPoints::FloatPoints(ConstMatrixView points)
    : points_(points), mean_(static_cast<std::size_t>(points.cols)) {
  for (std::int64_t u = 0; u < points.rows; ++u) {
    const auto row = points.row(u);
    for (std::size_t j = 0; j < mean_.size(); ++j) mean_[j] += static_cast<double>(row[j]);
  }
  for (double& mean : mean_) mean /= static_cast<double>(points.rows);
  double largest = 0;
  for (std::int64_t u = 0; u < points.rows; ++u) {
    const auto row = points.row(u);
    for (std::size_t j = 0; j < mean_.size(); ++j) {
      largest = std::max(largest, std::abs(static_cast<double>(row[j]) - mean_[j]));
    }
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  scale_ = std::ldexp(1.0, -exponent);
}

void FloatPoints::append(NodeId u, std::vector<float>& rows) const {
  const auto row = points_.row(u);
  for (std::size_t j = 0; j < mean_.size(); ++j) {
    rows.push_back(static_cast<float>(scale_ * (static_cast<double>(row[j]) - mean_[j])));
  }
}

}  // namespace heatfront::knn
