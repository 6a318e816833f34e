// SPDX-License-Identifier: MIT
#include "heatfront/graph/repulsion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/base/random.h"

namespace heatfront {
namespace {

struct Bodies {
  std::vector<Point> points;
  std::vector<double> masses;
};

// Most in clumps, as in a layout.
Bodies some_bodies(std::size_t count) {
  const Random random(7);
  Bodies bodies;
  for (std::size_t i = 0; i < count; ++i) {
    const double clump = 20 * random.uniform(4 * (i % 9));
    bodies.points.push_back({clump + random.normal(2 * i), clump + random.normal(2 * i + 1)});
    bodies.masses.push_back(1 + 10 * random.uniform(i));
  }
  return bodies;
}

std::vector<Point> by_all_pairs(const Bodies& bodies) {
  std::vector<Point> forces(bodies.points.size());
  for (std::size_t u = 0; u < forces.size(); ++u) {
    for (std::size_t v = 0; v < forces.size(); ++v) {
      if (u == v) continue;
      const double dx = bodies.points[u].x - bodies.points[v].x, dy = bodies.points[u].y - bodies.points[v].y;
      const double push = bodies.masses[u] * bodies.masses[v] / (dx * dx + dy * dy);
      forces[u] = {forces[u].x + push * dx, forces[u].y + push * dy};
    }
  }
  return forces;
}

double largest_error(const std::vector<Point>& found, const std::vector<Point>& right) {
  double size = 0, error = 0;
  for (std::size_t u = 0; u < right.size(); ++u) {
    size += std::hypot(right[u].x, right[u].y) / static_cast<double>(right.size());
    error = std::max(error, std::hypot(found[u].x - right[u].x, found[u].y - right[u].y));
  }
  return error / size;
}

std::vector<Point> forces_of(const Bodies& bodies, double opening, int thread_count) {
  Threads threads(thread_count);
  std::vector<Point> forces(bodies.points.size());
  Repulsion(opening).forces(bodies.points, bodies.masses, forces, threads);
  return forces;
}

TEST(Repulsion, WithoutAnOpeningIsTheSumOverAllPairs) {
  for (const std::size_t count : {1u, 2u, 8u, 9u, 500u}) {
    const Bodies bodies = some_bodies(count);
    const std::vector<Point> right = by_all_pairs(bodies);
    if (count == 1) {
      EXPECT_EQ(forces_of(bodies, 0, 1)[0].x, 0);
    } else {
      EXPECT_LT(largest_error(forces_of(bodies, 0, 1), right), 1e-7) << count;
    }
  }
}

TEST(Repulsion, WithAnOpeningIsNearlyThat) {
  const Bodies bodies = some_bodies(2000);
  const std::vector<Point> right = by_all_pairs(bodies);
  const double coarse = largest_error(forces_of(bodies, 1, 1), right);
  const double fine = largest_error(forces_of(bodies, 0.3, 1), right);
  EXPECT_LT(coarse, 0.2);
  EXPECT_LT(fine, 0.02);
  EXPECT_LT(fine, coarse);
}

TEST(Repulsion, HasTheSameBitsForAnyNumberOfThreads) {
  const Bodies bodies = some_bodies(5000);
  const std::vector<Point> one = forces_of(bodies, 1, 1), three = forces_of(bodies, 1, 3);
  for (std::size_t u = 0; u < one.size(); ++u) {
    ASSERT_EQ(one[u].x, three[u].x);
    ASSERT_EQ(one[u].y, three[u].y);
  }
}

TEST(Repulsion, OfBodiesAtOnePlaceIsNothing) {
  const Bodies bodies{.points = std::vector<Point>(20), .masses = std::vector<double>(20, 1)};
  for (const Point& force : forces_of(bodies, 1, 1)) {
    EXPECT_EQ(force.x, 0);
    EXPECT_EQ(force.y, 0);
  }
}

}  // namespace
}  // namespace heatfront
