// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/knn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include "heatfront/base/random.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

template <class Value>
Matrix matrix_of(std::int64_t rows, std::int64_t cols, const Value& value) {
  Matrix matrix(rows, cols);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) matrix(i, j) = static_cast<Real>(value(i, j));
  }
  return matrix;
}

Matrix random_points(std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  const Random random(seed);
  return matrix_of(rows, cols, [&](std::int64_t i, std::int64_t j) {
    return random.normal(static_cast<std::uint64_t>(i * cols + j));
  });
}

// Integers from few values: many duplicates, and every distance is met many times.
Matrix grid_points(std::int64_t rows, std::int64_t cols, std::uint64_t values, std::uint64_t seed) {
  const Random random(seed);
  return matrix_of(rows, cols, [&](std::int64_t i, std::int64_t j) {
    return random.below(values, static_cast<std::uint64_t>(i * cols + j));
  });
}

Neighbours found(const Matrix& points, const KnnOptions& options, int count = 2) {
  Threads threads(count);
  return nearest_neighbours(points, options, threads);
}

// Slow and obvious: all distances of a point, sorted.
void expect_nearest(const Matrix& points, int k, const Neighbours& result) {
  ASSERT_EQ(std::ssize(result.ids), points.rows() * k);
  for (std::int64_t u = 0; u < points.rows(); ++u) {
    std::vector<std::pair<double, NodeId>> all;
    for (NodeId v = 0; v < points.rows(); ++v) {
      double squared = 0;
      for (std::int64_t j = 0; j < points.cols(); ++j) {
        const double difference = static_cast<double>(points(u, j)) - static_cast<double>(points(v, j));
        squared += difference * difference;
      }
      if (v != u) all.emplace_back(squared, v);
    }
    std::ranges::sort(all);
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
      ASSERT_EQ(result.ids_of(u)[i], all[i].second) << "point " << u << ", neighbour " << i;
      const double distance = std::sqrt(all[i].first);
      ASSERT_NEAR(static_cast<double>(result.distances_of(u)[i]), distance, 1e-6 * distance);
    }
  }
}

TEST(NearestNeighbours, AreThoseOfAllPairsOnRandomPoints) {
  for (const auto& [rows, cols, k] :
       {std::tuple(2, 1, 1), {3, 5, 2}, {100, 1, 7}, {700, 3, 10}, {600, 50, 1}}) {
    const Matrix points = random_points(rows, cols, 1);
    expect_nearest(points, k, found(points, {.k = k}));
  }
}

TEST(NearestNeighbours, AreOrderedByNumberWhereDistancesTie) {
  for (const auto& [rows, cols, values] :
       {std::tuple(600, 2, 5u), {600, 1, 100u}, {800, 3, 4u}, {550, 20, 2u}}) {
    const Matrix points = grid_points(rows, cols, values, 2);
    expect_nearest(points, 9, found(points, {.k = 9}));
  }
}

TEST(NearestNeighbours, AreTheFirstPointsWhenAllAreTheSame) {
  const Matrix points = matrix_of(1500, 7, [](auto, auto) { return 0.1; });
  const Neighbours result = found(points, {.k = 3});
  EXPECT_TRUE(std::ranges::equal(result.ids_of(0), std::vector<NodeId>{1, 2, 3}));
  EXPECT_TRUE(std::ranges::equal(result.ids_of(1), std::vector<NodeId>{0, 2, 3}));
  EXPECT_TRUE(std::ranges::equal(result.ids_of(1499), std::vector<NodeId>{0, 1, 2}));
  EXPECT_EQ(std::ranges::count(result.distances, Real(0)), 4500);
}

TEST(NearestNeighbours, CanBeAllOtherPoints) {
  const Matrix points = grid_points(60, 4, 3, 3);
  expect_nearest(points, 59, found(points, {.k = 59}));
}

// Here squares lose the differences: single precision alone finds the wrong neighbours.
TEST(NearestNeighbours, AreExactFarFromTheOrigin) {
  const Random random(4);
  const Matrix points = matrix_of(700, 3, [&](std::int64_t i, std::int64_t j) {
    return 1e4 + 1e-2 * static_cast<double>(random.below(40, static_cast<std::uint64_t>(3 * i + j)));
  });
  expect_nearest(points, 5, found(points, {.k = 5}));
}

TEST(NearestNeighbours, AreExactBesideAFarOutlier) {
  Matrix points = random_points(600, 4, 5);
  points(17, 2) = Real(1e12);
  expect_nearest(points, 4, found(points, {.k = 4}));
}

// Single precision errs by about the distances within a cluster, from a little less to much more.
TEST(NearestNeighbours, AreExactInTwoFarClusters) {
  for (const double apart : {1e3, 2e3, 4e3, 8e3, 3e4}) {
    Matrix points = random_points(600, 4, 5);
    for (std::int64_t i = 0; i < 300; ++i) points(i, 0) += static_cast<Real>(apart);
    expect_nearest(points, 4, found(points, {.k = 4}));
  }
}

TEST(NearestNeighbours, TakeTheLargestAndTheSmallestNumbers) {
  for (double size : {1e30, 1e-37}) {
    const Random random(6);
    const Matrix points = matrix_of(300, 2, [&](std::int64_t i, std::int64_t j) {
      return size * (2 * random.uniform(static_cast<std::uint64_t>(2 * i + j)) - 1);
    });
    const Neighbours result = found(points, {.k = 3});
    expect_nearest(points, 3, result);
    EXPECT_TRUE(std::ranges::all_of(result.distances, [](Real x) { return std::isfinite(x); }));
  }
}

TEST(NearestNeighbours, AreTheSameBitsForAnyNumberOfThreads) {
  for (const bool approximate : {false, true}) {
    const Matrix points = random_points(1100, 16, 7);
    const KnnOptions options{.k = 10, .approximate = approximate};
    const Neighbours one = found(points, options, 1);
    for (int count : {2, 3, 8}) {
      const Neighbours many = found(points, options, count);
      EXPECT_EQ(many.ids, one.ids);
      EXPECT_EQ(many.distances, one.distances);
      EXPECT_EQ(many.recall, one.recall);
    }
  }
}

TEST(NearestNeighbours, ByCosineIgnoreTheLengthOfRows) {
  const Matrix points = matrix_of(4, 2, [](std::int64_t i, std::int64_t j) {
    constexpr double kPoints[4][2] = {{1, 0}, {0, 5}, {20, 0}, {-3, 0}};
    return kPoints[i][j];
  });
  const Neighbours result = found(points, {.k = 3, .metric = Metric::cosine});
  EXPECT_TRUE(std::ranges::equal(result.ids_of(0), std::vector<NodeId>{2, 1, 3}));
  const auto distances = result.distances_of(0);
  EXPECT_EQ(distances[0], 0);
  EXPECT_NEAR(static_cast<double>(distances[1]), std::sqrt(2.0), 1e-6);
  EXPECT_EQ(distances[2], 2);
}

TEST(NearestNeighbours, OfSparsePointsAreThoseOfTheSamePointsMadeDense) {
  const SparseMatrix sparse{
      .rows = 3, .cols = 4, .offsets = {0, 1, 1, 3}, .columns = {2, 0, 2}, .values = {1, 3, 1}};
  Matrix dense(3, 4);
  dense(0, 2) = 1, dense(2, 0) = 3, dense(2, 2) = 1;
  Threads threads(1);
  const Neighbours result = nearest_neighbours(sparse, {.k = 2}, threads);
  EXPECT_EQ(result.ids, found(dense, {.k = 2}).ids);
  EXPECT_EQ(result.distances, found(dense, {.k = 2}).distances);
  EXPECT_EQ(test::error_text([&] { nearest_neighbours(sparse, {.k = 2, .dense_limit = 8}, threads); }),
            "nearest neighbours: 3 sparse points of 4 coordinates take 0.0 GB when made dense, more than the "
            "limit of "
            "0.0 GB; raise it, or reduce the coordinates first");
}

TEST(NearestNeighbours, FoundApproximatelyAreMostlyTrueAndSaySo) {
  const Matrix points = random_points(2000, 8, 8);
  const Neighbours exact = found(points, {.k = 10});
  const Neighbours result = found(points, {.k = 10, .approximate = true});
  EXPECT_EQ(exact.recall, 1);
  std::size_t same = 0;
  for (std::size_t i = 0; i < exact.ids.size(); ++i) same += exact.ids[i] == result.ids[i];
  EXPECT_GT(same, exact.ids.size() * 9 / 10);
  EXPECT_GT(result.recall, 0.9);
  EXPECT_LE(result.recall, 1);
}

TEST(NearestNeighbours, FoundApproximatelyAreEnoughAmongDuplicates) {
  const Matrix points =
      matrix_of(600, 2, [](auto i, auto) { return i < 500 ? 0.0 : static_cast<double>(i); });
  const Neighbours result = found(points, {.k = 5, .approximate = true});
  for (std::int64_t u = 0; u < points.rows(); ++u) {
    EXPECT_EQ(std::ranges::count(result.ids_of(u), u), 0);
    EXPECT_TRUE(std::ranges::is_sorted(result.distances_of(u)));
  }
}

// Ten coordinates spread over `cols`, and a little of all others.
Matrix flat_points(std::int64_t rows, std::int64_t cols) {
  const Matrix few = random_points(rows, 10, 11), spread = random_points(10, cols, 12),
               noise = random_points(rows, cols, 13);
  return matrix_of(rows, cols, [&](std::int64_t i, std::int64_t j) {
    double sum = 0.1 * static_cast<double>(noise(i, j));
    for (std::int64_t a = 0; a < 10; ++a)
      sum += static_cast<double>(few(i, a)) * static_cast<double>(spread(a, j));
    return sum;
  });
}

TEST(NearestNeighbours, FoundApproximatelyInFewCoordinatesAreMostlyTrueAndTheSameBitsForAnyNumberOfThreads) {
  const Matrix points = flat_points(4500, 260);
  const KnnOptions options{.k = 10, .approximate = true};
  const Neighbours one = found(points, options, 1);
  EXPECT_GT(one.recall, 0.95);
  for (int count : {2, 3}) {
    const Neighbours many = found(points, options, count);
    EXPECT_EQ(many.ids, one.ids);
    EXPECT_EQ(many.distances, one.distances);
  }
}

// All directions in which they spread are those between clusters: they tell nothing of neighbours.
TEST(NearestNeighbours, FoundApproximatelyAreMostlyTrueInFarClustersOfManyCoordinates) {
  const Matrix centres = random_points(5, 260, 14), within = random_points(4500, 4, 15);
  const Matrix points = matrix_of(4500, 260, [&](std::int64_t i, std::int64_t j) {
    return 1e3 * static_cast<double>(centres(i % 5, j)) +
           (j % 7 == 0 ? static_cast<double>(within(i, j % 4)) : 0.0);
  });
  EXPECT_GT(found(points, {.k = 10, .approximate = true}).recall, 0.9);
}

TEST(NearestNeighbours, FoundApproximatelyAreTrueInThePlaneAndOnALine) {
  for (std::int64_t cols : {1, 2}) {
    EXPECT_GT(found(random_points(5000, cols, 16), {.k = 8, .approximate = true}).recall, 0.99);
  }
}

TEST(NearestNeighbours, FoundApproximatelyAreAllOfThemWhereALeafHasAllPoints) {
  for (const auto& [rows, k] : {std::pair(2, 1), {6, 5}, {12, 5}, {60, 59}, {120, 10}}) {
    const Matrix points = random_points(rows, 3, 17);
    expect_nearest(points, k, found(points, {.k = k, .approximate = true}));
  }
}

TEST(NearestNeighbours, FoundApproximatelyAreAtNoDistanceWhereAllPointsAreFewPlaces) {
  const Neighbours result = found(grid_points(3000, 1, 6, 18), {.k = 10, .approximate = true});
  EXPECT_EQ(result.recall, 1);
  EXPECT_EQ(std::ranges::count(result.distances, Real(0)), 30000);
}

TEST(NearestNeighbours, RefuseWhatHasNone) {
  const auto text = [](const Matrix& points, const KnnOptions& options) {
    return test::error_text([&] { found(points, options); });
  };
  const Matrix points = random_points(5, 2, 9);
  EXPECT_EQ(text(points, {.k = 5}), "nearest neighbours: k is 5, but 5 points allow 1 to 4");
  EXPECT_EQ(text(points, {.k = 0}), "nearest neighbours: k is 0, but 5 points allow 1 to 4");
  EXPECT_EQ(text(Matrix(), {}),
            "nearest neighbours: 0 points with 0 coordinates; two points with one are the least");
  Matrix bad = points;
  bad(3, 1) = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(
      text(bad, {.k = 1}),
      "nearest neighbours: point 3 has a coordinate nan; they must be finite and at most 1e+30 in size");
  bad(3, 1) = std::numeric_limits<Real>::infinity();
  EXPECT_NE(text(bad, {.k = 1}), "");
  bad(3, 0) = bad(3, 1) = 0;
  EXPECT_EQ(
      text(bad, {.k = 1, .metric = Metric::cosine}),
      "nearest neighbours: point 3 is all zeros and has no direction; leave such points out or take the "
      "euclidean metric");
}

TEST(NearestNeighbours, TellTheCallingThreadOfProgressAndStopWhenAsked) {
  const Matrix points = random_points(1500, 2, 10);
  Threads threads(3);
  for (const bool approximate : {false, true}) {
    const KnnOptions options{.k = 2, .approximate = approximate};
    const auto caller = std::this_thread::get_id();
    Progress last;
    bool by_caller = true;
    const auto note = [&](const Progress& progress) {
      by_caller = by_caller && std::this_thread::get_id() == caller;
      last = progress;
      return true;
    };
    nearest_neighbours(points, options, threads, note);
    EXPECT_TRUE(by_caller);
    EXPECT_EQ(last.done, 1500);
    EXPECT_EQ(last.total, 1500);
    const auto stop = [](const Progress& progress) { return progress.done == 0; };
    EXPECT_THROW(nearest_neighbours(points, options, threads, stop), Interrupted);
  }
}

}  // namespace
}  // namespace heatfront
