// SPDX-License-Identifier: MIT
#include "heatfront/flow/laplacian.h"

#include <gtest/gtest.h>

#include "heatfront/base/linear_algebra.h"
#include "support/error_text.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;
using test::dense_of;
using test::RandomProblem;

constexpr double kProductClose = sizeof(Real) == 8 ? 1e-12 : 2e-5;

class EveryLaplacian : public testing::TestWithParam<std::tuple<LaplacianKind, double>> {
 protected:
  LaplacianOptions options() const { return {std::get<0>(GetParam()), std::get<1>(GetParam())}; }
};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryLaplacian,
                         testing::Combine(testing::Values(LaplacianKind::symmetric,
                                                          LaplacianKind::random_walk,
                                                          LaplacianKind::combinatorial),
                                          testing::Values(0.0, 1.0, 2.5)));

TEST_P(EveryLaplacian, AppliesAsItsDefinitionSays) {
  Threads threads(2);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (std::int64_t columns : {1, 4, 7, 18, 45}) {
      const RandomProblem problem(seed, 17, columns);
      Laplacian laplacian(problem.graph, problem.weights, options(), 1.5, threads);
      const std::vector<NodeId> known = seed % 3 == 0 ? std::vector<NodeId>{} : problem.known;
      laplacian.clamp(known);
      const Dense expected =
          product(scaled(test::dense_laplacian(problem.graph, problem.weights, options(), known), 1.5),
                  dense_of(problem.front));
      Matrix x = problem.front, y = padded_matrix(17, columns);
      laplacian.enter(x);
      laplacian.apply({}, x, y, {});
      laplacian.leave(y);
      EXPECT_LT(largest_difference(dense_of(y), expected), kProductClose * (1 + test::largest(expected)))
          << seed;
    }
  }
}

TEST_P(EveryLaplacian, FusesTheStepsOfARecurrence) {
  Threads threads(1);
  const RandomProblem problem(3, 23, 6), other(5, 23, 6);
  Laplacian laplacian(problem.graph, problem.weights, options(), 1, threads);
  laplacian.clamp(problem.known);
  Matrix product = padded_matrix(23, 6), y = other.front, sum = other.front;
  laplacian.apply({}, problem.front, product, {});
  laplacian.apply({.alpha = 2, .beta = 3, .gamma = -1, .delta = 0.5}, problem.front, y, sum);
  for (std::int64_t u = 0; u < 23; ++u) {
    for (std::int64_t c = 0; c < 6; ++c) {
      const Real expected = 2 * product(u, c) + 3 * problem.front(u, c) - other.front(u, c);
      EXPECT_NEAR(y(u, c), expected, kProductClose);
      EXPECT_NEAR(sum(u, c), other.front(u, c) + Real(0.5) * expected, kProductClose);
    }
    for (std::int64_t pad = 6; pad < 8; ++pad) EXPECT_EQ(y.view().data[u * 8 + pad], 0);
  }
}

TEST_P(EveryLaplacian, IsAdjointToItsAdjointInTheMetric) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomProblem problem(seed, 15, 1), other(seed + 100, 15, 1);
    Laplacian laplacian(problem.graph, problem.weights, options(), 1, threads);
    laplacian.clamp(problem.known);
    Matrix forth = padded_matrix(15, 1), back = padded_matrix(15, 1);
    laplacian.apply({.alpha = 1, .beta = 0.3}, problem.front, forth, {});
    laplacian.apply_adjoint({.alpha = 1, .beta = 0.3}, other.front, back, {});
    double left = 0, right = 0;
    inner_products(laplacian, other.front, forth, {&left, 1});
    inner_products(laplacian, back, problem.front, {&right, 1});
    EXPECT_NEAR(left, right, kProductClose * 50);
  }
}

TEST_P(EveryLaplacian, LetsRowsFlowAtSpeedsOfTheirOwn) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomProblem problem(seed, 15, 3), other(seed + 100, 15, 3);
    Laplacian laplacian(problem.graph, problem.weights, options(), 1.5, threads);
    const double lowest = laplacian.lowest();
    std::vector<Real> speeds(15);
    for (std::size_t u = 0; u < 15; ++u) speeds[u] = static_cast<Real>(0.05 + 0.95 * Random(seed).uniform(u));
    laplacian.set_row_speeds(speeds);
    EXPECT_EQ(laplacian.lowest(), lowest);

    Dense a = test::dense_laplacian(problem.graph, problem.weights, options(), {});
    for (std::size_t u = 0; u < 15; ++u) {
      for (std::size_t v = 0; v < 15; ++v) a(u, v) *= 1.5 * static_cast<double>(speeds[u]);
    }
    const Dense expected = product(a, dense_of(problem.front));
    Matrix x = problem.front, y = padded_matrix(15, 3);
    laplacian.enter(x);
    laplacian.apply({}, x, y, {});
    laplacian.leave(y);
    EXPECT_LT(largest_difference(dense_of(y), expected), kProductClose * (1 + test::largest(expected)));

    // ⟨g, A x⟩ = ⟨Aᵀ g, x⟩ as the user sees them.
    Matrix g = other.front, back = padded_matrix(15, 3);
    laplacian.enter_adjoint(g);
    laplacian.apply_adjoint({}, g, back, {});
    laplacian.leave_adjoint(back);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      left += dense_of(other.front).values[i] * expected.values[i];
      right += dense_of(back).values[i] * dense_of(problem.front).values[i];
    }
    EXPECT_NEAR(left, right, kProductClose * 200);
  }
}

// ⟨x, −A x⟩ ≤ |lowest| ⟨x, x⟩ on thousands of random vectors, and the bound is no worse than Gershgorin's.
TEST_P(EveryLaplacian, BoundsItsSpectrum) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomProblem problem(seed, 12, 8, 1 + static_cast<double>(seed % 5));
    Laplacian laplacian(problem.graph, problem.weights, options(), 1, threads);
    Matrix x = problem.front, y = padded_matrix(12, 8);
    std::vector<double> energy(8), norm(8);
    for (int power = 0; power < 30; ++power) {  // towards the lowest eigenvalue
      laplacian.apply({}, x, y, {});
      inner_products(laplacian, x, y, energy);
      inner_products(laplacian, x, x, norm);
      for (std::size_t c = 0; c < 8; ++c)
        EXPECT_GE(energy[c], laplacian.lowest() * norm[c] * (1 + kProductClose)) << seed;
      std::swap(x, y);
    }
    double gershgorin = 0;
    for (Real out : laplacian.outflow()) gershgorin = std::max(gershgorin, 2 * static_cast<double>(out));
    EXPECT_GE(laplacian.lowest(), -gershgorin * (1 + kProductClose));
  }
}

TEST_P(EveryLaplacian, GivesTheSameBitsForAnyNumberOfThreads) {
  const RandomProblem problem(7, 9000, 8, 6);
  std::vector<Matrix> results;
  std::vector<double> lowest;
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    Laplacian laplacian(problem.graph, problem.weights, options(), 1, threads);
    Matrix y = padded_matrix(9000, 8);
    laplacian.apply({}, problem.front, y, {});
    results.push_back(std::move(y));
    lowest.push_back(laplacian.lowest());
  }
  for (std::size_t i = 1; i < results.size(); ++i) {
    EXPECT_EQ(dense_of(results[i]).values, dense_of(results[0]).values);
    EXPECT_EQ(lowest[i], lowest[0]);
  }
}

TEST(Laplacian, KeepsTheSymmetricSpectrumAboveMinusTwo) {
  Threads threads(1);
  const RandomProblem problem(0, 200, 1, 6);
  EXPECT_GT(Laplacian(problem.graph, {}, {}, 1, threads).lowest(), -2);
}

TEST(Laplacian, OfAStarHasTheLowestEigenvalueThatIsKnown) {
  Threads threads(1);
  ArcList arcs{.nodes = 11};
  for (NodeId v = 1; v < 11; ++v) arcs.from.push_back(0), arcs.to.push_back(v);
  const Graph star = build_graph(arcs, threads).graph;
  const Laplacian laplacian(star, {}, {LaplacianKind::combinatorial, 0}, 1, threads);
  EXPECT_LE(laplacian.lowest(), -11);  // the eigenvalue; Gershgorin alone says −20
  EXPECT_GT(laplacian.lowest(), -12.5);
}

TEST(Laplacian, KindsAreListedWhenMisspelt) {
  EXPECT_EQ(test::error_text([] { laplacian_kind("symetric"); }),
            "unknown Laplacian 'symetric' (did you mean 'symmetric'?); choose from: symmetric, random-walk, "
            "combinatorial");
  EXPECT_EQ(laplacian_kind("random-walk"), LaplacianKind::random_walk);
}

}  // namespace
}  // namespace heatfront
