// SPDX-License-Identifier: MIT
#include "heatfront/flow/calculus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/solve/chebyshev.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::RandomProblem;

std::vector<double> random_numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = Random(seed).normal(i);
  return numbers;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

constexpr LaplacianKind kKinds[] = {LaplacianKind::symmetric, LaplacianKind::combinatorial};

TEST(Calculus, OnTwoNodesIsWhatOneComputesByHand) {
  Threads threads(1);
  const Graph pair = build_graph(ArcList{.nodes = 2, .from = {0}, .to = {1}}, threads).graph;
  const Calculus calculus(pair, {}, {});  // loops of 1: δ = 2 on both
  const std::vector<double> f = {3, 1};
  EXPECT_NEAR(calculus.gradient(f)[0], -2 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(calculus.gradient_norm(f)[1], 2 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(calculus.dirichlet_energy(f), 2, 1e-15);
  EXPECT_NEAR(calculus.divergence(calculus.gradient(f))[0], -2, 1e-15);
}

TEST(Calculus, FulfilsStokesIdentity) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomProblem problem(seed, 20, 1);
    const Calculus calculus(problem.graph, problem.weights, {kKinds[seed / 2 % 2], 1});
    const auto f = random_numbers(problem.graph.nodes(), seed);
    const auto flow = random_numbers(problem.graph.arcs(), seed + 1);
    EXPECT_NEAR(dot(calculus.gradient(f), flow), -dot(f, calculus.divergence(flow)), 1e-10);
  }
}

TEST(Calculus, MakesTheLaplacianHalfTheDivergenceOfTheGradient) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomProblem problem(seed, 20, 1);
    for (LaplacianKind kind : kKinds) {
      const LaplacianOptions options{kind, 1};
      const Calculus calculus(problem.graph, problem.weights, options);
      const auto f = random_numbers(20, seed);
      const auto half = calculus.divergence(calculus.gradient(f));
      // Without loops in W, but with δ that counts them: the loop's own term cancels in Δ.
      const test::Dense laplacian = test::dense_laplacian(problem.graph, problem.weights, options, {});
      for (std::size_t u = 0; u < 20; ++u) {
        double expected = 0;
        for (std::size_t v = 0; v < 20; ++v) expected += laplacian(u, v) * f[v];
        EXPECT_NEAR(half[u] / 2, expected, 1e-10);
      }
    }
  }
}

TEST(Flow, LosesEnergyAsTimeGoesOn) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomProblem problem(seed, 30, 3);
    const Calculus calculus(problem.graph, problem.weights, {});
    Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
    double before = calculus.dirichlet_energy(problem.front);
    for (double time : {0.1, 0.5, 2.0, 10.0}) {
      Matrix state = problem.front;
      laplacian.enter(state);
      Chebyshev({}).solve(laplacian, time, state, nullptr);
      laplacian.leave(state);
      const double after = calculus.dirichlet_energy(state);
      EXPECT_LE(after, before * (1 + 1e-6));
      before = after;
    }
  }
}

// f/√d obeys the maximum principle, f itself need not.
TEST(Flow, KeepsFOverRootDegreeInItsRange) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomProblem problem(seed, 25, 2);
    Laplacian laplacian(problem.graph, problem.weights, {}, 1, threads);
    laplacian.clamp(problem.known);
    Matrix state = problem.front;
    laplacian.enter(state);
    std::vector<Real> low(2, Real(1e9)), high(2, Real(-1e9));
    for (std::int64_t u = 0; u < 25; ++u) {
      for (std::size_t c = 0; c < 2; ++c) {
        low[c] = std::min(low[c], state.row(u)[c]);
        high[c] = std::max(high[c], state.row(u)[c]);
      }
    }
    Chebyshev({}).solve(laplacian, 3, state, nullptr);
    for (std::int64_t u = 0; u < 25; ++u) {
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_GE(state.row(u)[c], low[c] - Real(1e-5));
        EXPECT_LE(state.row(u)[c], high[c] + Real(1e-5));
      }
    }
  }
}

TEST(Flow, IsPermutedWhenTheNodesAre) {
  Threads threads(1);
  const RandomProblem problem(4, 30, 3);
  std::vector<NodeId> order(30);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = 29; i > 0; --i) std::swap(order[i], order[Random(9).below(i + 1, i)]);
  ArcList arcs{.nodes = 30};
  for (NodeId u = 0; u < 30; ++u) {
    for (NodeId v : problem.graph.neighbours(u)) {
      arcs.from.push_back(order[static_cast<std::size_t>(u)]);
      arcs.to.push_back(order[static_cast<std::size_t>(v)]);
    }
  }
  const Graph permuted = build_graph(arcs, threads).graph;
  Matrix state = problem.front, moved = padded_matrix(30, 3);
  for (std::size_t u = 0; u < 30; ++u)
    std::ranges::copy(state.row(static_cast<NodeId>(u)), moved.row(order[u]).begin());
  for (auto [graph, start] : {std::pair(&problem.graph, &state), std::pair(&permuted, &moved)}) {
    Laplacian laplacian(*graph, {}, {}, 1, threads);
    laplacian.enter(*start);
    Chebyshev({}).solve(laplacian, 4, *start, nullptr);
    laplacian.leave(*start);
  }
  for (std::size_t u = 0; u < 30; ++u) {
    for (std::int64_t c = 0; c < 3; ++c)
      EXPECT_NEAR(moved(order[u], c), state(static_cast<NodeId>(u), c), 1e-5);
  }
}

}  // namespace
}  // namespace heatfront
