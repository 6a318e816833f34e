// SPDX-License-Identifier: MIT
#include "heatfront/solve/runge_kutta.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "heatfront/solve/stability.h"
#include "support/error_text.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::RandomProblem;

// For a linear system a method has order p if R(z) = 1 + z + z²/2 + … up to z^p.
TEST(Tableaus, HaveTheirOrders) {
  for (const Tableau& tableau : tableaus()) {
    const std::vector<double> r = stability_coefficients(tableau);
    double factorial = 1;
    for (int j = 0; j <= tableau.order; ++j) {
      factorial *= std::max(1, j);
      EXPECT_NEAR(r[static_cast<std::size_t>(j)], 1 / factorial, 1e-15) << tableau.name << " " << j;
    }
    const double next =
        std::ssize(r) > tableau.order + 1 ? r[static_cast<std::size_t>(tableau.order) + 1] : 0;
    EXPECT_GT(std::abs(next - 1 / (factorial * (tableau.order + 1))), 1e-4) << tableau.name;  // and no more
  }
}

// The embedded methods are one order lower: Σ ε = 0 and the estimate vanishes up to (hA)^(p−1).
TEST(Tableaus, EstimateTheErrorOneOrderLower) {
  for (std::string_view name : {"dopri5", "bosh3"}) {
    const Tableau& t = tableau(name);
    EXPECT_NEAR(std::accumulate(t.error.begin(), t.error.end(), 0.0), 0, 1e-15);
    const std::vector<double> r = stability_coefficients(t);
    std::vector<double> e = error_coefficients(t);
    for (std::size_t j = 0; j + 1 < e.size(); ++j) e[j + 1] += t.error[t.stages - 1] * r[j];
    for (int j = 1; j < t.order; ++j)
      EXPECT_NEAR(e[static_cast<std::size_t>(j)], 0, 1e-15) << name << " " << j;
    EXPECT_GT(std::abs(e[static_cast<std::size_t>(t.order)]), 1e-5);
  }
}

TEST(StableInterval, IsTheKnownOne) {
  const auto interval = [](std::string_view name) {
    return stable_interval(polynomial(stability_coefficients(tableau(name))));
  };
  EXPECT_NEAR(interval("euler"), 2, 1e-6);
  EXPECT_NEAR(interval("heun"), 2, 1e-6);
  EXPECT_NEAR(interval("bosh3"), 2.5127, 1e-4);
  EXPECT_NEAR(interval("rk4"), 2.7853, 1e-4);
  EXPECT_NEAR(interval("dopri5"), 3.3066, 1e-4);
  EXPECT_TRUE(std::isinf(stable_interval([](double z) { return z / (1 - z); })));
}

// A path of two nodes without loops: eigenvalues 0 and −2, so Euler is stable up to a step of 1.
TEST(RungeKutta, RefusesAnUnstableStepAndSaysWhichIsStable) {
  Threads threads(1);
  const Graph pair = build_graph(ArcList{.nodes = 2, .from = {0}, .to = {1}}, threads).graph;
  const Laplacian laplacian(pair, {}, {LaplacianKind::symmetric, 0}, 1, threads);
  Matrix state(2, 1, 4);
  const auto solve = [&](std::string_view name, double step) {
    RungeKutta(tableau(name), {.step = step}).solve(laplacian, 5, state, nullptr);
  };
  EXPECT_EQ(test::error_text([&] { solve("euler", 2.5); }),
            "euler: step 2.5 is outside its stability region for this graph; at most 0.999 is inside");
  EXPECT_EQ(test::error_text([&] { solve("rk4", 1.4); }),
            "rk4: step 1.4 is outside its stability region for this graph; at most 1.39 is inside");
  EXPECT_EQ(test::error_text([&] { solve("euler", 0.999); }), "");
  EXPECT_EQ(test::error_text([&] { solve("euler", 1e-6); }),
            "euler: step 1e-06 makes 5000000 steps to time 5; at most 1000000 are allowed");
}

TEST(RungeKutta, TakesStepsOfTheLengthAskedFor) {
  Threads threads(1);
  const RandomProblem problem(2, 20, 3);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  Matrix state = problem.front;
  const SolveReport report = RungeKutta(tableau("rk4"), {.step = 0.1}).solve(laplacian, 5, state, nullptr);
  EXPECT_EQ(report.steps, 50);
  EXPECT_EQ(report.products, 200);
}

TEST(RungeKutta, SaysHowManyStepsALowOrderWouldNeed) {
  Threads threads(1);
  const RandomProblem problem(2, 20, 3);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  Matrix state = problem.front;
  EXPECT_EQ(test::error_text([&] {
              RungeKutta(tableau("euler"), {.tolerance = 1e-9}).solve(laplacian, 5, state, nullptr);
            }),
            "euler: tolerance 1e-09 at time 5 needs more than 1000000 steps; choose a larger tolerance, or "
            "chebyshev");
}

// Two products for the first step size, then six a step tried, the last of them being the first of the next.
TEST(RungeKutta, CountsTheEvaluationsOfDopri5) {
  Threads threads(1);
  const RandomProblem problem(2, 200, 3, 5);
  Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
  Matrix state = problem.front;
  const SolveReport report =
      RungeKutta(tableau("dopri5"), {.tolerance = 2.6457e-3}).solve(laplacian, 5, state, nullptr);
  EXPECT_EQ(report.products, 2 + 6 * (report.steps + report.rejected));
  EXPECT_LE(report.products, 38);
}

}  // namespace
}  // namespace heatfront
