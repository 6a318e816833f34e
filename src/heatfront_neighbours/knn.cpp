// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/knn.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heatfront/base/fail.h"
#include "heatfront_neighbours/knn_search.h"

namespace heatfront {
namespace {

constexpr double kLargest = 1e30;  // so that no distance overflows single precision

void check_sizes(std::int64_t rows, std::int64_t cols, int k) {
  if (rows > kMostNodes) {
    fail("nearest neighbours: {} points are too many; at most {} can be numbered", rows, kMostNodes);
  }
  if (rows < 2 || cols < 1) {
    fail("nearest neighbours: {} points with {} coordinates; two points with one are the least", rows, cols);
  }
  if (k < 1 || k >= rows) {
    fail("nearest neighbours: k is {}, but {} points allow 1 to {}", k, rows, rows - 1);
  }
}

void check_values(ConstMatrixView points, Threads& threads) {
  const auto good = [](Real x) { return std::abs(static_cast<double>(x)) <= kLargest; };
  threads.for_blocks(points.rows, rows_at_once(points.rows, points.cols),
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t u = begin; u < end; ++u) {
                         const auto row = points.row(u);
                         bool all = true;  // without an exit, so that the loop takes several numbers at once
                         for (Real x : row) all &= good(x);
                         if (!all) {
                           fail(
                               "nearest neighbours: point {} has a coordinate {}; they must be finite and at "
                               "most {:g} in size",
                               u, *std::ranges::find_if_not(row, good), kLargest);
                         }
                       }
                     });
}

// Rows divided by their length, which is taken of x / max|x_j| so that no square underflows.
Matrix scaled_to_length_one(ConstMatrixView points) {
  Matrix scaled(points.rows, points.cols);
  for (std::int64_t u = 0; u < points.rows; ++u) {
    const auto row = points.row(u);
    double largest = 0;
    for (Real x : row) largest = std::max(largest, std::abs(static_cast<double>(x)));
    if (largest == 0) {
      fail(
          "nearest neighbours: point {} is all zeros and has no direction; leave such points out or take the "
          "euclidean metric",
          u);
    }
    double squares = 0;
    for (Real x : row) squares += (static_cast<double>(x) / largest) * (static_cast<double>(x) / largest);
    const double length = std::sqrt(squares);
    std::ranges::transform(row, scaled.row(u).begin(), [&](Real x) {
      return static_cast<Real>(static_cast<double>(x) / largest / length);
    });
  }
  return scaled;
}

Matrix dense(const SparseMatrix& points) {
  Matrix result(points.rows, points.cols);
  for (std::int64_t u = 0; u < points.rows; ++u) {
    const auto columns = points.row_columns(u);
    const auto values = points.row_values(u);
    for (std::size_t e = 0; e < columns.size(); ++e) result(u, columns[e]) = values[e];
  }
  return result;
}

}  // namespace

Neighbours nearest_neighbours(ConstMatrixView points, const KnnOptions& options, Threads& threads,
                              const ProgressCallback& progress) {
  check_sizes(points.rows, points.cols, options.k);
  check_values(points, threads);
  Matrix scaled;
  if (options.metric == Metric::cosine) points = (scaled = scaled_to_length_one(points)).view();
  Neighbours result{.points = points.rows, .k = options.k, .metric = options.metric};
  result.ids.resize(static_cast<std::size_t>(points.rows * options.k));
  result.distances.resize(result.ids.size());
  if (options.approximate) {
    knn::search_approximately(points, options.seed, threads, progress, result);
  } else {
    knn::search_exactly(points, threads, progress, result);
  }
  return result;
}

Neighbours nearest_neighbours(const SparseMatrix& points, const KnnOptions& options, Threads& threads,
                              const ProgressCallback& progress) {
  check(points);
  check_sizes(points.rows, points.cols, options.k);
  const double bytes = static_cast<double>(points.rows) * static_cast<double>(points.cols) * sizeof(Real);
  if (bytes > static_cast<double>(options.dense_limit)) {
    fail(
        "nearest neighbours: {} sparse points of {} coordinates take {:.1f} GB when made dense, more than "
        "the limit "
        "of {:.1f} GB; raise it, or reduce the coordinates first",
        points.rows, points.cols, bytes / 1e9, static_cast<double>(options.dense_limit) / 1e9);
  }
  return nearest_neighbours(dense(points), options, threads, progress);
}

}  // namespace heatfront
