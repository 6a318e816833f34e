// SPDX-License-Identifier: MIT
// Every solver of the table at once, against dense reference answers (which are good to 1e-12).
#include "heatfront/solve/solvers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/solve/certificate.h"
#include "support/error_text.h"
#include "support/precision.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;
using test::dense_of;
using test::RandomProblem;

using test::kDouble;
constexpr LaplacianKind kKinds[] = {LaplacianKind::symmetric, LaplacianKind::random_walk,
                                    LaplacianKind::combinatorial};

std::vector<std::string> names_of(bool for_time) {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solvers()) {
    if ((entry.for_time != nullptr) == for_time) names.emplace_back(entry.name);
  }
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

class EveryTimeSolver : public testing::TestWithParam<std::string> {
 protected:
  bool low_order() const {
    return GetParam() == "euler" || GetParam() == "heun" || GetParam() == "implicit-euler" ||
           GetParam() == "crank-nicolson";
  }
  bool adaptive() const { return GetParam() == "dopri5" || GetParam() == "bosh3"; }
};
INSTANTIATE_TEST_SUITE_P(Table, EveryTimeSolver, testing::ValuesIn(names_of(true)), test_name);

class EverySteadySolver : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Table, EverySteadySolver, testing::ValuesIn(names_of(false)), test_name);

// The worst column's ‖x − y‖ / ‖start‖ in the metric of the operator.
double relative_error(const Dense& x, const Dense& y, const Dense& start, std::span<const Real> metric) {
  double worst = 0;
  for (std::size_t c = 0; c < x.cols; ++c) {
    double error = 0, norm = 0;
    for (std::size_t u = 0; u < x.rows; ++u) {
      const double m = metric.empty() ? 1 : static_cast<double>(metric[u]);
      error += m * (x(u, c) - y(u, c)) * (x(u, c) - y(u, c));
      norm += m * start(u, c) * start(u, c);
    }
    worst = std::max(worst, std::sqrt(error / norm));
  }
  return worst;
}

TEST_P(EveryTimeSolver, AgreesWithTheDenseExponentialWithinItsBound) {
  Threads threads(1);
  std::vector<double> tolerances = {1e-2, 1e-3};
  if (!low_order()) tolerances.push_back(kDouble ? 1e-9 : 1e-5);
  for (double time : {0.2, 3.0, 40.0}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const RandomProblem problem(seed, 30, 5, seed % 3 == 0 ? 2 : 5);
      for (LaplacianKind kind : kKinds) {
        for (bool clamped : {false, true}) {
          const LaplacianOptions options{kind, seed % 2 == 0 ? 1.0 : 0.0};
          const std::vector<NodeId> known = clamped ? problem.known : std::vector<NodeId>{};
          Laplacian laplacian(problem.graph, problem.weights, options, 1, threads);
          laplacian.clamp(known);
          const Dense truth =
              product(test::exponential(scaled(
                          test::dense_laplacian(problem.graph, problem.weights, options, known), time)),
                      dense_of(problem.front));
          for (double tolerance : tolerances) {
            Matrix state = problem.front;
            laplacian.enter(state);
            const SolveReport report =
                time_solver(GetParam(), {.tolerance = tolerance})->solve(laplacian, time, state, nullptr);
            laplacian.leave(state);
            const double error = relative_error(
                dense_of(state), truth, dense_of(problem.front),
                kind == LaplacianKind::random_walk ? laplacian.degrees() : std::span<const Real>());
            EXPECT_TRUE(report.reached) << time << " " << seed << " " << tolerance;
            EXPECT_GT(report.products, 0);
            const bool promised = !std::isnan(report.error_bound);
            if (adaptive()) {  // holds the local errors, not their sum
              EXPECT_LE(error, 10 * tolerance) << time << " " << seed << " " << tolerance;
              EXPECT_NE(promised, !std::isnan(report.error_estimate));
            } else {
              EXPECT_LE(report.error_bound, tolerance + 2e5 * kHalfUnit);
            }
            EXPECT_LE(error, promised ? report.error_bound + 3e-12 : report.error_estimate)
                << time << " " << seed << " " << tolerance << " clamped " << clamped;
          }
        }
      }
    }
  }
}

TEST_P(EveryTimeSolver, KeepsClampedRowsToTheBitAndReturnsTheStartAtTimeZero) {
  Threads threads(1);
  const RandomProblem problem(1, 50, 5);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  laplacian.clamp(problem.known);
  const auto solver = time_solver(GetParam(), {.tolerance = 1e-2});
  Matrix state = problem.front;
  Trace trace;
  const SolveReport nothing = solver->solve(laplacian, 0, state, &trace);
  EXPECT_EQ(dense_of(state).values, dense_of(problem.front).values);
  EXPECT_EQ(nothing.products, 0);
  Matrix adjoint = problem.front;
  solver->backward(laplacian, 0, trace, adjoint, nullptr);
  EXPECT_EQ(dense_of(adjoint).values, dense_of(problem.front).values);

  solver->solve(laplacian, 5, state, nullptr);
  EXPECT_NE(dense_of(state).values, dense_of(problem.front).values);
  for (NodeId u : problem.known) {
    for (std::int64_t c = 0; c < 5; ++c) EXPECT_EQ(state(u, c), problem.front(u, c));
  }
}

TEST_P(EveryTimeSolver, LeavesRowsThatNothingReachesExactlyZero) {
  Threads threads(1);
  const Graph pairs = build_graph(ArcList{.nodes = 5, .from = {0, 2}, .to = {1, 3}}, threads).graph;
  Laplacian laplacian(pairs, {}, {}, 1, threads);
  laplacian.clamp(std::vector<NodeId>{0});
  Matrix state = padded_matrix(5, 2);
  state(0, 1) = 1;
  time_solver(GetParam(), {.tolerance = 1e-2})->solve(laplacian, 5, state, nullptr);
  EXPECT_GT(state(1, 1), 0);
  for (NodeId u : {2, 3, 4}) EXPECT_EQ(state(u, 1), 0);
  for (NodeId u : {0, 1, 2, 3, 4}) EXPECT_EQ(state(u, 0), 0);
}

TEST_P(EveryTimeSolver, LeavesAGraphWithoutEdgesAsItIs) {
  Threads threads(1);
  const Graph points = Graph::without_edges(3);
  for (LaplacianKind kind : kKinds) {
    const Laplacian laplacian(points, {}, {kind, 0}, 1, threads);
    Matrix state = padded_matrix(3, 1);
    state(1, 0) = 4;
    EXPECT_TRUE(time_solver(GetParam(), {})->solve(laplacian, 5, state, nullptr).reached);
    EXPECT_EQ(state(0, 0), 0);
    EXPECT_NEAR(static_cast<double>(state(1, 0)), 4, 1e-5);
  }
}

TEST_P(EveryTimeSolver, GivesTheSameBitsForAnyNumberOfThreads) {
  const RandomProblem problem(7, 6000, 8, 6);
  std::vector<Matrix> states, adjoints;
  std::vector<std::vector<Real>> gradients;
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
    laplacian.clamp(problem.known);
    const auto solver = time_solver(GetParam(), {.tolerance = 0.05});
    Matrix state = problem.front, adjoint = problem.front;
    Trace trace;
    solver->solve(laplacian, 1, state, &trace);
    OperatorGradient gradient = laplacian.zero_gradient();
    solver->backward(laplacian, 1, trace, adjoint, &gradient);
    states.push_back(std::move(state));
    adjoints.push_back(std::move(adjoint));
    gradients.push_back(std::move(gradient.entries));
  }
  for (std::size_t i = 1; i < states.size(); ++i) {
    EXPECT_EQ(dense_of(states[i]).values, dense_of(states[0]).values);
    EXPECT_EQ(dense_of(adjoints[i]).values, dense_of(adjoints[0]).values);
    EXPECT_EQ(gradients[i], gradients[0]);
  }
}

// A dense solve of −A_ff u_f = A_fc g on the rows that a clamped row reaches, by Gauss' elimination; zero
// elsewhere.
Dense dense_steady_state(const Dense& laplacian, const Dense& start, const std::vector<NodeId>& known) {
  const std::size_t n = start.rows;
  std::vector<bool> reached(n), fixed(n);
  for (NodeId u : known) fixed[static_cast<std::size_t>(u)] = reached[static_cast<std::size_t>(u)] = true;
  for (std::size_t round = 0; round < n; ++round) {
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        if (laplacian(u, v) != 0 && reached[v]) reached[u] = true;
      }
    }
  }
  Dense system(n, n), u(n, start.cols);
  for (std::size_t i = 0; i < n; ++i) {
    const bool unknown = reached[i] && !fixed[i];
    for (std::size_t j = 0; j < n; ++j) system(i, j) = unknown ? laplacian(i, j) : (i == j ? 1 : 0);
    for (std::size_t c = 0; c < start.cols; ++c) u(i, c) = fixed[i] ? start(i, c) : 0;
  }
  for (std::size_t k = 0; k < n; ++k) {  // diagonally dominant rows: no pivoting
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || system(i, k) == 0) continue;
      const double factor = system(i, k) / system(k, k);
      for (std::size_t j = k; j < n; ++j) system(i, j) -= factor * system(k, j);
      for (std::size_t c = 0; c < start.cols; ++c) u(i, c) -= factor * u(k, c);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < start.cols; ++c) u(i, c) /= system(i, i);
  }
  return u;
}

TEST_P(EverySteadySolver, AgreesWithADenseSolveAndLeavesTheUnreachedAtZero) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const RandomProblem problem(seed, 30, 5, seed % 3 == 0 ? 2 : 5);
    for (LaplacianKind kind : kKinds) {
      const LaplacianOptions options{kind, seed % 4 < 2 ? 1.0 : 0.0};
      Laplacian laplacian(problem.graph, problem.weights, options, 1, threads);
      laplacian.clamp(problem.known);
      Matrix state = padded_matrix(30, 5);
      for (NodeId u : problem.known) std::ranges::copy(problem.front.row(u), state.row(u).begin());
      const Dense truth =
          dense_steady_state(test::dense_laplacian(problem.graph, problem.weights, options, problem.known),
                             dense_of(state), problem.known);
      laplacian.enter(state);
      const Matrix before = state;
      const double tolerance = kDouble ? 1e-12 : 1e-5;
      const SolveReport report = steady_solver(GetParam(), {.tolerance = tolerance})->solve(laplacian, state);
      for (NodeId u : problem.known) {
        for (std::int64_t c = 0; c < 5; ++c) EXPECT_EQ(state(u, c), before(u, c));
      }
      laplacian.leave(state);
      EXPECT_TRUE(report.reached) << seed << " " << report.residual;
      EXPECT_LE(report.residual, tolerance);
      EXPECT_LT(largest_difference(dense_of(state), truth), 1e3 * tolerance * test::largest(truth)) << seed;
      for (std::size_t i = 0; i < truth.values.size(); ++i) {
        if (truth.values[i] == 0) {
          EXPECT_EQ(dense_of(state).values[i], 0);
        }
      }
    }
  }
}

TEST_P(EverySteadySolver, IsWhereTheFlowGoes) {
  Threads threads(1);
  const RandomProblem problem(3, 40, 3, 6);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  laplacian.clamp(problem.known);
  Matrix late = padded_matrix(40, 3);
  for (NodeId u : problem.known) std::ranges::copy(problem.front.row(u), late.row(u).begin());
  Matrix steady = late;
  time_solver("chebyshev", {})->solve(laplacian, 1e4, late, nullptr);
  steady_solver(GetParam(), {})->solve(laplacian, steady);
  EXPECT_LT(largest_difference(dense_of(late), dense_of(steady)), 1e-4);
}

TEST_P(EverySteadySolver, SaysWhenTheToleranceIsBeyondReach) {
  Threads threads(1);
  const RandomProblem problem(3, 40, 3, 6);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  laplacian.clamp(problem.known);
  Matrix state = problem.front;
  const SolveReport report = steady_solver(GetParam(), {.tolerance = 1e-30})->solve(laplacian, state);
  EXPECT_FALSE(report.reached);
  EXPECT_LT(report.residual, 1e-5);
}

TEST(SteadyState, IsAboutAsSmallAResidualAsRoundingAllows) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomProblem problem(seed, 40, 3, 6);
    Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
    laplacian.clamp(problem.known);
    Matrix state = problem.front;
    const SolveReport report = steady_solver("cg", {.tolerance = 1e-30})->solve(laplacian, state);
    EXPECT_LT(report.residual, 8 * report.least_residual) << seed;
    EXPECT_GT(report.residual, report.least_residual / 8) << seed;
  }
}

TEST(Solvers, AreListedWhenMisspeltOrOfTheOtherKind) {
  EXPECT_EQ(
      test::error_text([] { time_solver("chebishev", {}); }),
      "unknown solver 'chebishev' (did you mean 'chebyshev'?); choose from: chebyshev, krylov, dopri5, "
      "bosh3, rk4, heun, euler, implicit-euler, crank-nicolson (for a finite time); cg, jacobi (for the "
      "steady state)");
  EXPECT_EQ(test::error_text([] { steady_solver("rk4", {}); }),
            "solver 'rk4' is not for the steady state; choose from: cg, jacobi");
  EXPECT_EQ(test::error_text([] { time_solver("rk4", {.tolerance = 0}); }),
            "solver: tolerance is '0', but must be a number above 0");
  EXPECT_EQ(test::error_text([] { time_solver("rk4", {.step = -1}); }),
            "solver: step is '-1', but must be a number, 0 or more");
}

}  // namespace
}  // namespace heatfront
