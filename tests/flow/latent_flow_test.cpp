// SPDX-License-Identifier: MIT
#include "heatfront/flow/latent_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/nn/mixing.h"
#include "support/allocations.h"
#include "support/gradient_check.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;
using test::dense_of;
using test::kDouble;
using test::RandomProblem;

constexpr double kFlowClose = kDouble ? 1e-8 : 2e-5;

// One flow with all that it is given, and the gradient G of a loss Σ G h(t).
struct Problem {
  RandomProblem graph;
  LatentFlowOptions options;
  std::vector<Real> alpha;
  Matrix w;
  std::vector<Real> m;
  Matrix g;

  Problem(std::uint64_t seed, NodeId nodes, std::int64_t width, bool mixing)
      : graph(seed, nodes, width),
        options{.time = 2.5, .self_loop = 0.6, .tolerance = kDouble ? 1e-14 : 1e-6, .mixing = mixing},
        alpha(static_cast<std::size_t>(nodes)),
        w(spread_matrix(width, width)),
        m(static_cast<std::size_t>(width)),
        g(RandomProblem(seed + 100, nodes, width).front) {
    const Random random(seed);
    for (std::size_t u = 0; u < alpha.size(); ++u) alpha[u] = static_cast<Real>(2 * random.normal(u));
    for (std::int64_t i = 0; i < width; ++i) {
      m[static_cast<std::size_t>(i)] =
          static_cast<Real>(0.1 + 0.8 * random.part(1).uniform(static_cast<std::uint64_t>(i)));
      for (std::int64_t j = 0; j < width; ++j) {
        const double noise = 0.2 * random.part(2).normal(static_cast<std::uint64_t>(i * width + j));
        w(i, j) = static_cast<Real>(noise + (i == j ? 1 : 0));
      }
    }
  }

  void begin_as_training_does() {
    for (std::int64_t i = 0; i < w.rows(); ++i) {
      m[static_cast<std::size_t>(i)] = 1;
      for (std::int64_t j = 0; j < w.cols(); ++j) w(i, j) = i == j ? 1 : 0;
    }
  }

  std::vector<double> mixing_matrix() const {
    std::vector<double> result(options.mixing ? m.size() * m.size() : 0);
    if (options.mixing) mixing(w, m, result);
    return result;
  }
};

struct Gradients {
  Matrix start, w;
  std::vector<Real> alpha, m;
};

// h(t), and with gradients where they are asked for.
Matrix flow(const Problem& problem, Threads& threads, Gradients* gradients = nullptr) {
  LatentFlow flow(problem.graph.graph, problem.graph.weights, problem.w.rows(), problem.options, threads);
  flow.set(problem.alpha, problem.mixing_matrix());
  Matrix end = padded_matrix(problem.graph.front.rows(), problem.graph.front.cols());
  if (gradients == nullptr) {
    ChebyshevRecurrence work;
    flow.judge(problem.graph.front, work, end);
    return end;
  }
  LatentFlow::StepWorkspace work = flow.workspace();
  flow.forward(problem.graph.front, work, end);
  gradients->start = problem.g;
  gradients->alpha.resize(problem.alpha.size());
  std::vector<double> d_mixing(problem.options.mixing ? problem.m.size() * problem.m.size() : 0);
  flow.backward(work, gradients->start, gradients->alpha, d_mixing);
  if (problem.options.mixing) {
    gradients->w = spread_matrix(problem.w.rows(), problem.w.cols());
    gradients->m.resize(problem.m.size());
    mixing_backward(problem.w, problem.m, d_mixing, gradients->w, gradients->m);
  }
  return end;
}

double loss(const Problem& problem, Threads& threads) {
  const Dense end = dense_of(flow(problem, threads)), g = dense_of(problem.g);
  double sum = 0;
  for (std::size_t i = 0; i < end.values.size(); ++i) sum += g.values[i] * end.values[i];
  return sum;
}

// As the equation stands, by 2000 steps of Runge and Kutta, on a state with a second half that begins at zero and has
// numbers of its own in M; the answer is the first half.
Dense by_small_steps(const Problem& problem, double source_scale = 1) {
  const Dense start = dense_of(problem.graph.front);
  const std::size_t n = start.rows, q = start.cols;
  Dense a = test::dense_laplacian(problem.graph.graph, problem.graph.weights,
                                  {.self_loop = problem.options.self_loop}, {});
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v)
      a(u, v) *= 0.5 / (1 + std::exp(-static_cast<double>(problem.alpha[u])));
  }
  Dense m(2 * q, 2 * q), source(n, 2 * q);
  const std::vector<double> mixing = problem.mixing_matrix();
  for (std::size_t i = 0; !mixing.empty() && i < q; ++i) {
    for (std::size_t j = 0; j < q; ++j) {
      m(i, j) = mixing[i * q + j];
      m(q + i, q + j) = -0.1 * static_cast<double>(i + j);
    }
  }
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t c = 0; c < q; ++c) source(u, c) = start(u, c);
  }
  const auto slope = [&](const Dense& h) {
    Dense sum = product(a, h);
    const Dense mixed = product(h, m);
    for (std::size_t i = 0; i < sum.values.size(); ++i)
      sum.values[i] += mixed.values[i] + source_scale * source.values[i];
    return sum;
  };
  const auto moved = [](Dense h, double step, const Dense& along) {
    for (std::size_t i = 0; i < h.values.size(); ++i) h.values[i] += step * along.values[i];
    return h;
  };
  constexpr int kSteps = 2000;
  const double step = problem.options.time / kSteps;
  Dense h = source;
  for (int i = 0; i < kSteps; ++i) {
    const Dense k1 = slope(h), k2 = slope(moved(h, step / 2, k1)), k3 = slope(moved(h, step / 2, k2));
    const Dense k4 = slope(moved(h, step, k3));
    h = moved(moved(moved(moved(h, step / 6, k1), step / 3, k2), step / 3, k3), step / 6, k4);
  }
  Dense first(n, q);
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t c = 0; c < q; ++c) first(u, c) = h(u, c);
  }
  return first;
}

class LatentFlows : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Mixing, LatentFlows, testing::Bool());

TEST_P(LatentFlows, AreWhatSmallStepsOfTheEquationGive) {
  Threads threads(1);
  for (std::uint64_t seed : {1u, 2u}) {
    const Problem problem(seed, 12, 5, GetParam());
    const Dense expected = by_small_steps(problem);
    Gradients ignored;
    EXPECT_LT(largest_difference(dense_of(flow(problem, threads)), expected),
              kFlowClose * (1 + largest(expected)));
    EXPECT_LT(largest_difference(dense_of(flow(problem, threads, &ignored)), expected),
              kFlowClose * (1 + largest(expected)));
  }
}

void expect_exact_gradients(Problem& problem) {
  Threads threads(1);
  Gradients gradients;
  flow(problem, threads, &gradients);
  const auto now = [&] { return loss(problem, threads); };
  {
    SCOPED_TRACE("start");
    for (std::int64_t u = 0; u < problem.g.rows(); u += 3)
      test::expect_gradient(problem.graph.front.row(u), gradients.start.row(u), now);
  }
  {
    SCOPED_TRACE("alpha");
    test::expect_gradient(problem.alpha, gradients.alpha, now);
  }
  if (!problem.options.mixing) return;
  {
    SCOPED_TRACE("w");
    for (std::int64_t i = 0; i < problem.w.rows(); ++i)
      test::expect_gradient(problem.w.row(i), gradients.w.row(i), now);
  }
  SCOPED_TRACE("m");
  test::expect_gradient(problem.m, gradients.m, now);
}

TEST_P(LatentFlows, HaveExactGradients) {
  if (!kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  for (std::uint64_t seed : {1u, 2u}) {
    Problem problem(seed, 14, 5, GetParam());
    problem.options.time = 6;
    expect_exact_gradients(problem);
  }
}

// Of the start alone the flow is linear: ⟨∂L/∂h(0), e⟩ = ⟨G, the flow from e without a source⟩.
TEST_P(LatentFlows, CanTakeTheSourceForAConstant) {
  Threads threads(1);
  Problem problem(2, 12, 5, GetParam());
  Gradients through, apart;
  flow(problem, threads, &through);
  problem.options.source_gradient = false;
  flow(problem, threads, &apart);
  EXPECT_EQ(apart.alpha, through.alpha);
  EXPECT_EQ(apart.m, through.m);
  EXPECT_EQ(dense_of(apart.w).values, dense_of(through.w).values);
  const Dense end = by_small_steps(problem, 0), start = dense_of(problem.graph.front),
              g = dense_of(problem.g);
  double left = 0, right = 0;
  for (std::size_t i = 0; i < end.values.size(); ++i) {
    left += dense_of(apart.start).values[i] * start.values[i];
    right += g.values[i] * end.values[i];
  }
  EXPECT_NEAR(left, right, kFlowClose * (1 + std::abs(right)));
}

TEST_P(LatentFlows, HaveExactGradientsOfLossesThatSeeFewRows) {
  if (!kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Problem problem(3, 14, 6, GetParam());
  for (std::int64_t u = 0; u < 14; ++u) {
    if (u % 5 != 1) std::ranges::fill(problem.g.row(u), Real(0));
  }
  expect_exact_gradients(problem);
}

// What it would make on the way, another flow beside it would make as well, in the same place.
TEST(LatentFlow, MakesNothingInItsFirstFlowSoThatAnotherMayRunBesideIt) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "SKIPPED: a sanitizer allocates in its own way";
  Threads threads(1);
  const Problem problem(3, 40, 4, false);
  ChebyshevRecurrence work;
  Matrix end = padded_matrix(problem.graph.front.rows(), problem.graph.front.cols());
  for (const bool first : {true, false}) {
    LatentFlow flow(problem.graph.graph, problem.graph.weights, 4, problem.options, threads);
    flow.set(problem.alpha, {});
    const test::MemoryWatch watch;
    flow.judge(problem.graph.front, work, end);
    EXPECT_EQ(watch.peak() > 0, first);  // the first one of all shapes `work`
  }
}

TEST(LatentFlow, HasExactGradientsWhereAllColumnsMixAlike) {
  if (!kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Problem problem(4, 12, 5, true);
  problem.begin_as_training_does();
  std::ranges::fill(problem.m, Real(0.999));  // below the corner of the clamp
  expect_exact_gradients(problem);
}

TEST(LatentFlow, TakesTheSlopeFromInsideAtTheEndsOfTheClampAndNoneBeyondThem) {
  Threads threads(1);
  Problem problem(5, 12, 4, true);
  problem.begin_as_training_does();
  Gradients at_one, below;
  flow(problem, threads, &at_one);
  std::ranges::fill(problem.m, Real(0.99999));
  flow(problem, threads, &below);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NE(at_one.m[j], 0);
    EXPECT_NEAR(at_one.m[j], below.m[j], 1e-3 * (1 + std::abs(static_cast<double>(below.m[j]))));
  }
  problem.m = {Real(1.2), Real(0.5), Real(-0.3), Real(0)};
  flow(problem, threads, &at_one);
  EXPECT_EQ(at_one.m[0], 0);
  EXPECT_EQ(at_one.m[2], 0);
  EXPECT_NE(at_one.m[3], 0);
  if (!kDouble) return;
  problem.m[3] = Real(0.4);
  expect_exact_gradients(problem);
}

TEST_P(LatentFlows, GiveTheSameBitsForAnyNumberOfThreads) {
  Problem problem(6, 9000, 6, GetParam());
  problem.options.tolerance = 1e-5;
  std::vector<Matrix> ends;
  std::vector<Gradients> gradients;
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    ends.push_back(flow(problem, threads, &gradients.emplace_back()));
  }
  for (std::size_t i = 1; i < ends.size(); ++i) {
    EXPECT_EQ(dense_of(ends[i]).values, dense_of(ends[0]).values);
    EXPECT_EQ(dense_of(gradients[i].start).values, dense_of(gradients[0].start).values);
    EXPECT_EQ(dense_of(gradients[i].w).values, dense_of(gradients[0].w).values);
    EXPECT_EQ(gradients[i].alpha, gradients[0].alpha);
    EXPECT_EQ(gradients[i].m, gradients[0].m);
  }
}

TEST(LatentFlow, FeedsNodesWithoutNeighboursOnly) {
  Threads threads(1);
  Problem problem(7, 5, 3, false);
  problem.graph.graph = Graph::without_edges(5);
  problem.graph.weights.clear();
  for (double loop : {0.0, 0.6}) {
    problem.options.self_loop = loop;
    Gradients gradients;
    const Matrix end = flow(problem, threads, &gradients);
    for (std::int64_t u = 0; u < 5; ++u) {
      EXPECT_EQ(gradients.alpha[static_cast<std::size_t>(u)], 0);
      for (std::int64_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(end(u, c), Real(3.5) * problem.graph.front(u, c), kFlowClose * 10);
        EXPECT_NEAR(gradients.start(u, c), Real(3.5) * problem.g(u, c), kFlowClose * 10);
      }
    }
  }
}

TEST_P(LatentFlows, StandStillInNoTime) {
  Threads threads(1);
  Problem problem(8, 12, 4, GetParam());
  problem.options.time = 0;
  Gradients gradients;
  const Matrix end = flow(problem, threads, &gradients);
  EXPECT_LT(largest_difference(dense_of(end), dense_of(problem.graph.front)), kFlowClose);
  EXPECT_LT(largest_difference(dense_of(gradients.start), dense_of(problem.g)), kFlowClose);
  for (Real slope : gradients.alpha) EXPECT_EQ(slope, 0);
}

TEST_P(LatentFlows, BearNodesThatHardlyFlow) {
  Threads threads(1);
  Problem problem(9, 12, 4, GetParam());
  problem.alpha[0] = -1000;
  problem.alpha[1] = 1000;
  const Dense expected = by_small_steps(problem);
  Gradients gradients;
  EXPECT_LT(largest_difference(dense_of(flow(problem, threads, &gradients)), expected),
            kFlowClose * (1 + largest(expected)));
  EXPECT_EQ(gradients.alpha[1], 0);
  for (Real slope : gradients.alpha) EXPECT_TRUE(std::isfinite(slope));
}

}  // namespace
}  // namespace heatfront
