// SPDX-License-Identifier: MIT
#include "heatfront/flow/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "heatfront/base/error.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/dirichlet.h"
#include "support/error_text.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::dense_of;
using test::RandomProblem;

constexpr ClassId kClasses = 3;

KnownLabels some_labels(const RandomProblem& random, std::size_t count) {
  KnownLabels known;
  for (std::size_t i = 0; i < std::min(count, random.known.size()); ++i) {
    known.nodes.push_back(random.known[i]);
    known.classes.push_back(static_cast<ClassId>(i) % kClasses);
  }
  return known;
}

// Whatever was held before, the answer is that of a flow made for the problem.
TEST(Flow, AnswersToTheBitAsOneMadeAnewWhateverItHeldBefore) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomProblem random(seed, 30, kClasses);
    Threads threads(2);
    for (const Reordering reorder : {Reordering::none, Reordering::rcm}) {
      for (const double time : {3.0, FlowOptions::kForever}) {
        const FlowOptions options{.time = time, .reorder = reorder};
        Flow kept(random.graph, random.weights, options, threads);
        for (const std::size_t count : {random.known.size(), std::size_t{1}, random.known.size() / 2 + 1}) {
          const KnownLabels known = some_labels(random, count);
          const DirichletProblem problem{
              .graph = random.graph, .weights = random.weights, .classes = kClasses, .known = known};
          const Temperatures again = solve_dirichlet(problem, kept);
          const Temperatures anew = solve_dirichlet(problem, options, threads);
          ASSERT_EQ(dense_of(again.values).values, dense_of(anew.values).values) << seed << " " << time;
          ASSERT_EQ(again.column_errors, anew.column_errors) << seed << " " << time;
          for (std::size_t i = 0; i < known.nodes.size(); ++i)
            ASSERT_EQ(again.values(known.nodes[i], known.classes[i]), 1) << "held rows keep their bits";
        }
      }
    }
  }
}

// But for rounding: the bound on the spectrum is found from that of the weights before.
TEST(Flow, TakesOtherWeights) {
  for (std::uint64_t seed = 1; seed < 40; seed += 2) {
    const RandomProblem random(seed, 30, kClasses);
    Threads threads(2);
    const KnownLabels known = some_labels(random, 4);
    const DirichletProblem problem{
        .graph = random.graph, .weights = random.weights, .classes = kClasses, .known = known};
    for (const double time : {3.0, FlowOptions::kForever}) {
      const std::vector<Real> others(random.weights.size(), Real(2));
      Flow flow(random.graph, others, {.time = time}, threads);
      solve_dirichlet({.graph = random.graph, .weights = others, .classes = kClasses, .known = known}, flow);
      flow.set_weights(random.weights);
      const Temperatures again = solve_dirichlet(problem, flow);
      const Temperatures anew = solve_dirichlet(problem, {.time = time}, threads);
      for (NodeId u = 0; u < random.graph.nodes(); ++u) {
        for (std::int64_t c = 0; c < kClasses; ++c)
          ASSERT_NEAR(again.values(u, c), anew.values(u, c), 2e-5) << seed << " " << time;
      }
    }
  }
}

TEST(Flow, SharesOfANodeGiveItsTemperature) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomProblem random(seed, 30, kClasses);
    Threads threads(1);
    Flow flow(random.graph, random.weights, {.time = 2}, threads);
    const KnownLabels known = some_labels(random, 4);
    const DirichletProblem problem{
        .graph = random.graph, .weights = random.weights, .classes = kClasses, .known = known};
    const Matrix start = starting_state(problem);
    const Temperatures heat = solve_dirichlet(problem, flow);
    for (NodeId u = 0; u < random.graph.nodes(); ++u) {
      const Matrix shares = flow.shares_of(std::span(&u, 1), 1e-6);
      for (std::int64_t c = 0; c < kClasses; ++c) {
        double sum = 0;
        for (NodeId v = 0; v < random.graph.nodes(); ++v)
          sum += static_cast<double>(shares(v, 0)) * static_cast<double>(start(v, c));
        ASSERT_NEAR(sum, static_cast<double>(heat.values(u, c)), 1e-5) << seed << " " << u;
      }
    }
  }
}

TEST(Flow, CanBeCancelledAndGoesOnAfterwards) {
  const RandomProblem random(7, 30, kClasses);
  Threads threads(2);
  Flow flow(random.graph, random.weights, {.time = 5}, threads);
  const KnownLabels known = some_labels(random, 3);
  const DirichletProblem problem{
      .graph = random.graph, .weights = random.weights, .classes = kClasses, .known = known};
  const Temperatures before = solve_dirichlet(problem, flow);
  threads.cancel();
  EXPECT_THROW(solve_dirichlet(problem, flow), Interrupted);
  threads.resume();
  EXPECT_EQ(dense_of(solve_dirichlet(problem, flow).values).values, dense_of(before.values).values);
}

TEST(Flow, RefusesWhatIsNotOfItsGraph) {
  const RandomProblem random(3, 30, kClasses);
  Threads threads(1);
  Flow flow(random.graph, random.weights, {}, threads);
  const NodeId beyond = random.graph.nodes();
  EXPECT_NE(test::error_text([&] { flow.hold(std::span(&beyond, 1)); }), "");
  EXPECT_NE(test::error_text([&] { flow.solve(padded_matrix(beyond + 1, 2)); }), "");
  EXPECT_NE(test::error_text([&] { flow.shares_of(std::span(&beyond, 1), 1e-6); }), "");
  EXPECT_NE(test::error_text([&] { Flow(random.graph, random.weights, {.time = -1}, threads); }), "");
}

}  // namespace
}  // namespace heatfront
