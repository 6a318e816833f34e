// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/float_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heatfront/base/matrix_product.h"

namespace heatfront::knn {
namespace {

constexpr std::int64_t kParts = 64;
constexpr std::int64_t kRowsOfC = 64;  // that a thread makes at once

// body(part, begin, end) on the rows in at most kParts parts, which depend on their number alone.
template <class Body>
void for_parts(std::int64_t rows, Threads& threads, const Body& body) {
  const std::int64_t size = (rows + kParts - 1) / kParts;
  threads.for_blocks(rows, size,
                     [&](std::int64_t begin, std::int64_t end) { body(begin / size, begin, end); });
}

std::vector<double> mean_of(ConstMatrixView points, Threads& threads) {
  std::vector<std::vector<double>> sums(at(kParts));
  for_parts(points.rows, threads, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
    std::vector<double> sum(at(points.cols));
    for (std::int64_t u = begin; u < end; ++u) {
      const auto row = points.row(u);
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += static_cast<double>(row[j]);
    }
    sums[at(part)] = std::move(sum);
  });
  std::vector<double> mean(at(points.cols));
  for (const auto& sum : sums) {
    for (std::size_t j = 0; j < sum.size(); ++j) mean[j] += sum[j];
  }
  for (double& x : mean) x /= static_cast<double>(points.rows);
  return mean;
}

double farthest_coordinate(ConstMatrixView points, const std::vector<double>& mean, Threads& threads) {
  std::vector<double> farthest(at(kParts));
  for_parts(points.rows, threads, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
    double largest = 0;
    for (std::int64_t u = begin; u < end; ++u) {
      const auto row = points.row(u);
      for (std::size_t j = 0; j < mean.size(); ++j) {
        largest = std::max(largest, std::abs(static_cast<double>(row[j]) - mean[j]));
      }
    }
    farthest[at(part)] = largest;
  });
  return std::ranges::max(farthest);
}

}  // namespace

FloatPoints::FloatPoints(ConstMatrixView points, Threads& threads)
    : rows_(points.rows), cols_(points.cols), values_(at(points.rows * points.cols)) {
  const std::vector<double> mean = mean_of(points, threads);
  int exponent = 0;
  std::frexp(farthest_coordinate(points, mean, threads), &exponent);
  scale_ = std::ldexp(1.0, -exponent);
  for_parts(rows_, threads, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    float* x = values_.data() + begin * cols_;
    for (std::int64_t u = begin; u < end; ++u) {
      const auto row = points.row(u);
      for (std::size_t j = 0; j < mean.size(); ++j) {
        *x++ = static_cast<float>(scale_ * (static_cast<double>(row[j]) - mean[j]));
      }
    }
  });
}

FloatPoints FloatPoints::in_order(std::span<const NodeId> order, Threads& threads) const {
  FloatPoints result(std::ssize(order), cols_);
  for_parts(result.rows_, threads, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::ranges::copy(row(order[at(i)]), result.view().row(i).begin());
    }
  });
  return result;
}

void multiply_by_transposed(const FloatPoints& a, const FloatPoints& b, Threads& threads, FloatPoints& c) {
  threads.for_blocks(a.rows(), kRowsOfC, [&](std::int64_t begin, std::int64_t end) {
    multiply_by_transposed_here(a.view().rows_between(begin, end), b.view(),
                                c.view().rows_between(begin, end));
  });
}

}  // namespace heatfront::knn
