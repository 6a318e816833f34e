// SPDX-License-Identifier: MIT
// Numbers at the edge of what can be given: the answer is right, or refused in one line; it is never NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "heatfront/base/error.h"
#include "heatfront/flow/decide.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/generate.h"
#include "heatfront/solve/solvers.h"
#include "support/error_text.h"
#include "support/reference.h"
#include "support/sanitized.h"

namespace heatfront {
namespace {

using test::Dense;

constexpr int kOneIn = test::kSanitized ? 4 : 1;  // of the random problems
constexpr double kForever = FlowOptions::kForever;

// A small problem with numbers of any size; what it is depends on the seed alone.
struct ExtremeProblem {
  Graph graph;
  std::vector<Real> weights;
  KnownLabels known;
  Matrix front;
  ClassId classes;
  double label_scale;
  FlowOptions flow;

  explicit ExtremeProblem(std::uint64_t seed) {
    const Random random(seed);
    std::uint64_t drawn = 0;
    const auto below = [&](std::uint64_t n) { return random.below(n, drawn++); };
    const auto pick = [&](const auto& values) { return values[below(std::size(values))]; };

    const auto nodes = static_cast<NodeId>(1 + below(12));
    constexpr double kAllWeights[] = {0, 1e-45, 1e-38, 1e-20, 0.5, 1, 3, 1e20, 1e30};
    constexpr double kFarApart[] = {2e-7, 5e-7, 1e-3, 1, 1, 1, 1e3};
    const bool weighted = below(4) > 0, mixed = below(2) == 0, far_apart = below(2) == 0;
    const double usual = pick(kAllWeights);
    const auto weight = [&] { return far_apart ? pick(kFarApart) : mixed ? pick(kAllWeights) : usual; };
    ArcList arcs{.nodes = nodes};
    for (std::uint64_t i = below(3 * static_cast<std::uint64_t>(nodes)); i > 0; --i) {
      arcs.from.push_back(static_cast<NodeId>(below(static_cast<std::uint64_t>(nodes))));
      arcs.to.push_back(static_cast<NodeId>(below(static_cast<std::uint64_t>(nodes))));
      if (weighted) arcs.weights.push_back(static_cast<Real>(weight()));
    }
    Threads threads(1);
    WeightedGraph built = build_graph(std::move(arcs), threads);
    graph = std::move(built.graph);
    weights = std::move(built.weights);

    constexpr ClassId kClassCounts[] = {1, 2, 3, 9};
    classes = pick(kClassCounts);
    const std::uint64_t labelled = below(4);  // none, all, or about every second or third
    for (NodeId u = 0; u < nodes; ++u) {
      if (labelled == 0 || (labelled > 1 && below(labelled) > 0)) continue;
      known.nodes.push_back(u);
      known.classes.push_back(static_cast<ClassId>(below(static_cast<std::uint64_t>(classes))));
    }
    if (below(2) == 0) {
      constexpr double kAllSizes[] = {1, 1, 1e-10, 1e10, 1e20, 1e30};
      const double size = pick(kAllSizes);
      front = Matrix(nodes, classes);
      for (NodeId u = 0; u < nodes; ++u) {
        for (ClassId c = 0; c < classes; ++c)
          front(u, c) = static_cast<Real>(size * random.part(1).normal(drawn++));
      }
      if (random.part(2).below(2, 0) == 0) cancel_fronts();
    }
    constexpr double kAllTimes[] = {0, 1e-300, 1e-120, 1e-12, 0.3, 5, 1e3, 1e6, 1e30, kForever};
    constexpr double kAllSpeeds[] = {1, 1, 1e-6, 1e6}, kAllScales[] = {1, 1, 0, 1e-6, -30, 1e6};
    constexpr LaplacianKind kAllKinds[] = {LaplacianKind::symmetric, LaplacianKind::random_walk,
                                           LaplacianKind::combinatorial};
    constexpr double kAllLoops[] = {0, 1e-30, 1, 1e6};
    label_scale = pick(kAllScales);
    flow.time = pick(kAllTimes);
    flow.lambda = pick(kAllSpeeds);
    flow.laplacian = {.kind = pick(kAllKinds), .self_loop = pick(kAllLoops)};
    // Loops whose inverse is hardly a number, and strong edges in a slow flow.
    if (random.part(3).below(4, 0) == 0) flow.laplacian.self_loop = 1e-36;
    if (random.part(4).below(4, 0) == 0) {
      flow.laplacian.kind = LaplacianKind::combinatorial;
      flow.lambda = 1e-6;
    }
    if (random.part(5).below(3, 0) == 0) follow_rates();
  }

  DirichletProblem problem() const {
    return {.graph = graph,
            .weights = weights,
            .classes = classes,
            .known = known,
            .front = front,
            .label_scale = label_scale};
  }

  // Every other front takes back the one before, and the last one is small: next to nothing may be left of a class's mass.
  void cancel_fronts() {
    for (NodeId u = 0; u < graph.nodes(); ++u) {
      for (ClassId c = 0; c < classes; ++c) {
        if (u % 2 == 1) front(u, c) = -front(u - 1, c);
        if (u % 2 == 0 && u + 1 == graph.nodes()) front(u, c) = Real(1e-10);
      }
    }
  }

  // Edges of any strength warm their neighbours within the time, and neither at once nor never.
  void follow_rates() {
    if (const double rate = largest_rate(); rate > 0) flow.time = std::min(3 / rate, 1e30);
  }

  double largest_rate() const {
    return flow.lambda * test::largest(test::dense_laplacian(graph, weights, flow.laplacian, {}));
  }
  double size() const { return test::largest(test::dense_of(starting_state(problem()))); }

  // The flow is long, or numbers grow large on the way: coordinates are divided by the roots of degrees, and multiplied by
  // weights.
  bool may_be_refused() const {
    const double loop = flow.laplacian.self_loop;
    double most = std::max(1.0, loop), least = loop > 0 ? std::min(1.0, loop) : 1;
    for (Real w : weights) {
      most = std::max(most, static_cast<double>(w));
      if (w > 0) least = std::min(least, static_cast<double>(w));
    }
    const bool is_long = flow.time > 1e7 || flow.time * largest_rate() > 1e7;
    return is_long || size() * most * std::max(1.0, flow.lambda) / std::sqrt(least) > 1e35;
  }

  // The flow by scaling and squaring; its own rounding is what these many squarings leave.
  Dense truth() const {
    const Dense laplacian = test::dense_laplacian(graph, weights, flow.laplacian, known.nodes);
    return test::product(test::exponential(test::scaled(laplacian, flow.lambda * flow.time)),
                         test::dense_of(starting_state(problem())));
  }
};

TEST(Extremes, AreAnsweredRightlyOrRefusedByThousandsOfRandomProblems) {
  Threads threads(1);
  int answered = 0, compared = 0;
  for (std::uint64_t seed = 0; seed < 10'000 / kOneIn; ++seed) {
    const ExtremeProblem extreme(seed);
    Answer answer;
    try {
      answer = solve_and_decide(extreme.problem(), extreme.flow, threads);
    } catch (const Error& refused) {
      EXPECT_TRUE(extreme.may_be_refused()) << seed << ": " << refused.what();
      continue;
    }
    ++answered;
    ASSERT_TRUE(test::all_finite(answer.temperatures.values)) << seed;
    for (Real confidence : answer.decisions.confidence)
      ASSERT_TRUE(confidence >= 0 && confidence <= 1) << seed << ": " << confidence;
    for (Real margin : answer.decisions.margin) ASSERT_TRUE(std::isfinite(margin)) << seed;
    for (double error : answer.temperatures.column_errors) ASSERT_TRUE(error >= 0) << seed << ": " << error;
    if (extreme.flow.time > 1e6 || extreme.flow.time * extreme.largest_rate() > 1e6)
      continue;  // for the reference
    ++compared;
    const Dense truth = extreme.truth();
    for (NodeId u = 0; u < extreme.graph.nodes(); ++u) {
      for (ClassId c = 0; c < extreme.classes; ++c) {
        const double error = std::abs(static_cast<double>(answer.temperatures.values(u, c)) -
                                      truth(static_cast<std::size_t>(u), static_cast<std::size_t>(c)));
        const double allowed = answer.temperatures.column_errors[static_cast<std::size_t>(c)];
        ASSERT_LE(error, allowed * (1 + 1e-6) + 1e-9 * extreme.size())
            << seed << " at node " << u << ", class " << c;
      }
    }
  }
  EXPECT_GT(answered, 6000 / kOneIn);
  EXPECT_GT(compared, 5000 / kOneIn);
}

TEST(Extremes, AreNumbersWithEveryClassGivenItsShare) {
  Threads threads(1);
  int scaled = 0, faults = 0;
  for (std::uint64_t seed = 0; seed < 10'000 / kOneIn; ++seed) {
    const ExtremeProblem extreme(seed);
    const DirichletProblem problem = extreme.problem();
    try {
      Temperatures temperatures = solve_dirichlet(problem, extreme.flow, threads);
      const std::vector<double> prior(static_cast<std::size_t>(extreme.classes), 1.0 / extreme.classes);
      normalise_class_mass(temperatures, extreme.known, prior);
      const Decisions decisions = decide(problem, reached_nodes(problem), temperatures, prior, threads);
      ++scaled;
      bool sound = test::all_finite(temperatures.values);
      for (Real margin : decisions.margin) sound = sound && std::isfinite(margin);
      for (double error : temperatures.column_errors) sound = sound && error >= 0 && std::isfinite(error);
      faults += !sound;
    } catch (const Error& refused) {
      EXPECT_TRUE(extreme.may_be_refused()) << seed << ": " << refused.what();
    }
  }
  EXPECT_GT(scaled, 6000 / kOneIn);
  EXPECT_EQ(faults, 0);
}

TEST(Extremes, AreNumbersByEverySolverOrRefused) {
  Threads threads(1);
  int answered = 0;
  for (std::uint64_t seed = 0; seed < 3000 / kOneIn; ++seed) {
    ExtremeProblem extreme(seed);
    if (!(extreme.flow.time * extreme.largest_rate() <= 10)) continue;  // fixed steps would take long
    extreme.flow.solve.tolerance = 1e-2;
    for (const SolverEntry& solver : solvers()) {
      if (!solver.for_time) continue;
      extreme.flow.solver = solver.name;
      try {
        const Answer answer = solve_and_decide(extreme.problem(), extreme.flow, threads);
        ASSERT_TRUE(test::all_finite(answer.temperatures.values)) << seed << " " << solver.name;
        ++answered;
      } catch (const Error& refused) {
        const bool slow = solver.name == "krylov" && extreme.largest_rate() < 1e-19;
        EXPECT_TRUE(slow || extreme.may_be_refused()) << seed << " " << solver.name << ": " << refused.what();
      }
    }
  }
  EXPECT_GT(answered, 10'000 / kOneIn);
}

TEST(Extremes, AreNumbersAlongACurveAndAsShares) {
  Threads threads(1);
  int answered = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const ExtremeProblem extreme(seed);
    if (!(extreme.flow.time * extreme.largest_rate() <= 1e3)) continue;
    try {
      Flow flow(extreme.graph, extreme.weights, extreme.flow, threads);
      flow.hold(extreme.known.nodes);
      const NodeId last = extreme.graph.nodes() - 1;
      ASSERT_TRUE(test::all_finite(flow.shares_of(std::span(&last, 1), 1e-4))) << seed;
      const double times[] = {0, extreme.flow.time / 2, extreme.flow.time};
      flow.curve(times, starting_state(extreme.problem()), [&](double time, const Temperatures& then) {
        EXPECT_TRUE(test::all_finite(then.values)) << seed << " at " << time;
        for (double error : then.column_errors) EXPECT_TRUE(error >= 0) << seed << " at " << time;
        ++answered;
        return true;
      });
    } catch (const Error& refused) {
      EXPECT_TRUE(extreme.may_be_refused()) << seed << ": " << refused.what();
    }
  }
  EXPECT_GT(answered, 5000);
}

// Weights of any size: what is said to be decided is right, and errors are what is said of them, which is an estimate.
TEST(Extremes, HaveSteadyStatesThatAreRightOrSaidNotToBe) {
  Threads threads(1);
  int settled = 0, compared = 0, above = 0, above_by_jacobi = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    ExtremeProblem extreme(seed);
    extreme.flow.time = kForever;
    extreme.flow.solve.tolerance = 8 * static_cast<double>(std::numeric_limits<Real>::epsilon());
    const DirichletProblem problem = extreme.problem();
    const Dense truth =
        test::harmonic_extension(extreme.graph, extreme.weights, extreme.flow.laplacian, extreme.known.nodes,
                                 test::dense_of(starting_state(problem)));
    for (const SolverEntry& solver : solvers()) {
      if (!solver.for_steady_state || (solver.name == "jacobi" && seed % 8 != 0)) continue;
      extreme.flow.solver = solver.name;
      Answer answer;
      try {
        answer = solve_and_decide(problem, extreme.flow, threads);
      } catch (const Error& refused) {
        EXPECT_TRUE(extreme.may_be_refused()) << seed << ": " << refused.what();
        continue;
      }
      ASSERT_TRUE(test::all_finite(answer.temperatures.values)) << seed << " " << solver.name;
      settled += answer.temperatures.report.reached;
      bool is_above = false;
      for (NodeId u = 0; u < extreme.graph.nodes(); ++u) {
        const std::size_t row = static_cast<std::size_t>(u);
        if (std::isnan(truth(row, 0))) continue;  // no label reaches it
        const auto chosen = static_cast<std::size_t>(answer.decisions.classes[row]);
        for (std::size_t c = 0; c < truth.cols; ++c) {
          const double error =
              std::abs(static_cast<double>(answer.temperatures.values(u, static_cast<std::int64_t>(c))) -
                       truth(row, c));
          is_above |= !(error <= answer.temperatures.column_errors[c] + 1e-9 * extreme.size());
          if (answer.decisions.status[row] == NodeStatus::decided) {
            ASSERT_LE(truth(row, c), truth(row, chosen)) << seed << " " << solver.name << " at node " << u;
          }
          ++compared;
        }
      }
      (solver.name == "jacobi" ? above_by_jacobi : above) += is_above;
    }
  }
  EXPECT_GT(settled, 3000);
  EXPECT_GT(compared, 20'000);
  EXPECT_EQ(above, 0) << "problems with an error above the estimate";
  EXPECT_LE(above_by_jacobi, 1);
}

TEST(Extremes, AreRefusedWhenTheFlowIsTooLongToBeFollowed) {
  Threads threads(1);
  const Graph path = path_graph(5);
  const KnownLabels known{{0}, {0}};
  for (const SolverEntry& solver : solvers()) {
    if (!solver.for_time) continue;
    EXPECT_NE(test::error_text([&] {
                solve_dirichlet({.graph = path, .weights = {}, .classes = 2, .known = known},
                                {.time = 1e30, .solver = std::string(solver.name)}, threads);
              }),
              "")
        << solver.name;
  }
}

// λ makes the flow slow enough, but not the products of weights and temperatures small enough.
TEST(Extremes, AreRefusedWhenARowLeavesTheRangeBeforeItIsScaled) {
  Threads threads(1);
  const Graph path = path_graph(3);
  const std::vector<Real> weights(static_cast<std::size_t>(path.arcs()), Real(1e20));
  Matrix front(3, 1);
  for (NodeId u = 0; u < 3; ++u) front(u, 0) = Real(1e20);
  EXPECT_NE(test::error_text([&] {
              solve_dirichlet({.graph = path, .weights = weights, .classes = 1, .known = {}, .front = front},
                              {.time = 1e-14,
                               .lambda = 1e-6,
                               .laplacian = {.kind = LaplacianKind::combinatorial, .self_loop = 0}},
                              threads);
            }).find("leave the range of numbers"),
            std::string::npos);
}

TEST(Extremes, ANodeWithoutEdgesKeepsItsTemperatureWhateverItsLoop) {
  Threads threads(1);
  ArcList arcs{.nodes = 3};
  arcs.from = {0};
  arcs.to = {1};
  const Graph graph = build_graph(std::move(arcs), threads).graph;
  Matrix front(3, 1);
  front(2, 0) = Real(0.75);
  for (LaplacianKind kind :
       {LaplacianKind::symmetric, LaplacianKind::random_walk, LaplacianKind::combinatorial}) {
    for (double loop : {1e-40, 2e-38, 1e-36, 1e-30, 1e-20}) {
      const Temperatures answer = solve_dirichlet(
          {.graph = graph, .weights = {}, .classes = 1, .known = {}, .front = front},
          {.time = 1e-6, .lambda = 1e6, .laplacian = {.kind = kind, .self_loop = loop}}, threads);
      EXPECT_NEAR(answer.values(2, 0), 0.75, 1e-6) << name_of(kind) << " " << loop;
    }
  }
}

}  // namespace
}  // namespace heatfront
