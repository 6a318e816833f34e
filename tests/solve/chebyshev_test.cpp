// SPDX-License-Identifier: MIT
#include "heatfront/solve/chebyshev.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heatfront/base/linear_algebra.h"
#include "support/precision.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;
using test::dense_of;
using test::RandomProblem;

using test::kDouble;

double column_norm(const Dense& m, std::size_t c, std::span<const Real> metric) {
  double sum = 0;
  for (std::size_t u = 0; u < m.rows; ++u) sum += static_cast<double>(metric[u]) * m(u, c) * m(u, c);
  return std::sqrt(sum);
}

// The bound holds against a dense exponential, and it is not idle: below 100 times the worst error over
// random fronts.
TEST(Chebyshev, ErrsByLessThanItsBoundAndTheBoundIsTight) {
  Threads threads(1);
  for (double time : {0.01, 0.1, 1.0, 5.0, 30.0, 200.0, 1000.0}) {
    for (bool clamped : {false, true}) {
      for (double tolerance : {1e-3, 1e-6, 1e-10}) {
        if (!kDouble && tolerance < 1e-6) continue;
        double tightest = std::numeric_limits<double>::infinity();
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
          const RandomProblem problem(seed, 40, 12, seed % 3 == 0 ? 2 : 5);
          for (LaplacianKind kind :
               {LaplacianKind::symmetric, LaplacianKind::random_walk, LaplacianKind::combinatorial}) {
            const LaplacianOptions options{kind, seed % 2 == 0 ? 1.0 : 0.0};
            const std::vector<NodeId> known = clamped ? problem.known : std::vector<NodeId>{};
            Laplacian laplacian(problem.graph, problem.weights, options, 1, threads);
            laplacian.clamp(known);
            const Dense truth =
                product(test::exponential(scaled(
                            test::dense_laplacian(problem.graph, problem.weights, options, known), time)),
                        dense_of(problem.front));
            Matrix state = problem.front;
            laplacian.enter(state);
            Chebyshev solver({.tolerance = tolerance});
            const SolveReport report = solver.solve(laplacian, time, state, nullptr);
            laplacian.leave(state);
            EXPECT_TRUE(report.reached);

            // Norms as the operator has them: the plain one, but D-weighted for the random walk.
            const std::vector<Real> ones(40, 1);
            const std::span<const Real> metric =
                kind == LaplacianKind::random_walk ? laplacian.degrees() : ones;
            Dense error = dense_of(state);
            for (std::size_t i = 0; i < error.values.size(); ++i) error.values[i] -= truth.values[i];
            double worst = 0;
            for (std::size_t c = 0; c < 12; ++c) {
              worst = std::max(
                  worst, column_norm(error, c, metric) / column_norm(dense_of(problem.front), c, metric));
            }
            EXPECT_LE(worst, report.error_bound * (kDouble ? 1 : 3) + 1e-13)
                << time << " " << tolerance << " " << seed;
            if (worst > 0) tightest = std::min(tightest, report.error_bound / worst);
          }
        }
        if (kDouble) {
          EXPECT_LT(tightest, 100) << time << " " << tolerance << " clamped " << clamped;
        }
      }
    }
  }
}

TEST(Chebyshev, KeepsClampedRowsToTheBit) {
  Threads threads(1);
  const RandomProblem problem(1, 50, 5);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  laplacian.clamp(problem.known);
  Matrix state = problem.front;
  Chebyshev({}).solve(laplacian, 5, state, nullptr);
  for (NodeId u : problem.known) {
    for (std::int64_t c = 0; c < 5; ++c) EXPECT_EQ(state(u, c), problem.front(u, c));
  }
}

TEST(Chebyshev, LeavesRowsThatNothingReachesExactlyZero) {
  Threads threads(1);
  const Graph pairs = build_graph(ArcList{.nodes = 5, .from = {0, 2}, .to = {1, 3}}, threads).graph;
  Laplacian laplacian(pairs, {}, {}, 1, threads);
  laplacian.clamp(std::vector<NodeId>{0});
  Matrix state = padded_matrix(5, 2);
  state(0, 1) = 1;
  Chebyshev({}).solve(laplacian, 5, state, nullptr);
  EXPECT_GT(state(1, 1), 0);
  for (NodeId u : {2, 3, 4}) EXPECT_EQ(state(u, 1), 0);
}

TEST(Chebyshev, GivesAWholeCurveFromOneRecurrence) {
  Threads threads(1);
  const RandomProblem problem(2, 60, 4);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  laplacian.clamp(problem.known);
  const std::vector<double> times = {0, 0.5, 4, 20};
  std::vector<Matrix> states(times.size(), padded_matrix(60, 4));
  const std::vector<MatrixView> views(states.begin(), states.end());
  Chebyshev solver({});
  const std::vector<SolveReport> many = solver.solve_many(laplacian, times, problem.front, views);
  for (std::size_t i = 0; i < times.size(); ++i) {
    Matrix state = problem.front;
    const SolveReport alone = solver.solve(laplacian, times[i], state, nullptr);
    EXPECT_EQ(many[i].products, alone.products);
    EXPECT_NEAR(many[i].error_bound, alone.error_bound, 1e-3 * alone.error_bound);
    EXPECT_LT(largest_difference(dense_of(state), dense_of(states[i])), kDouble ? 1e-13 : 1e-5);
  }
}

// 90 columns are more than are made together.
TEST(Chebyshev, TreatsWideStatesBlockByBlockAsNarrowOnes) {
  Threads threads(2);
  const RandomProblem problem(5, 50, 90);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  const std::vector<double> times = {0, 0.7, 6};
  std::vector<Matrix> states(times.size(), padded_matrix(50, 90));
  const std::vector<MatrixView> views(states.begin(), states.end());
  Chebyshev solver({});
  solver.solve_many(laplacian, times, problem.front, views);
  std::vector<double> own;
  for (std::size_t c = 0; c < 90; ++c) own.push_back(times[c % 3]);
  Matrix each = problem.front;
  const SolveReport report = solver.solve_columns(laplacian, own, each);
  for (std::size_t i = 0; i < times.size(); ++i) {
    Matrix state = problem.front;
    const SolveReport alone = solver.solve(laplacian, times[i], state, nullptr);
    EXPECT_LE(alone.products, report.products);
    EXPECT_LT(largest_difference(dense_of(state), dense_of(states[i])), kDouble ? 1e-13 : 1e-5);
    for (std::int64_t u = 0; u < 50; ++u)
      for (std::int64_t c = static_cast<std::int64_t>(i); c < 90; c += 3)
        ASSERT_NEAR(each(u, c), state(u, c), kDouble ? 1e-13 : 1e-5) << u << " " << c;
  }
}

}  // namespace
}  // namespace heatfront
