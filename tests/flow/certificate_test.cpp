// SPDX-License-Identifier: MIT
// No flow is further from the truth than it says, by any solver, whatever the weights and however long it is.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string_view>

#include "heatfront/base/error.h"
#include "heatfront/solve/solvers.h"
#include "support/precision.h"
#include "support/reference.h"
#include "support/sanitized.h"

namespace heatfront {
namespace {

using test::Dense;

constexpr std::uint64_t kProblems = test::kSanitized ? 1000 : 10'000;

constexpr double kLongestFlow = 5e7;        // of the largest rate times t, for chebyshev
constexpr double kLongestForSpaces = 1e5;   // for krylov
constexpr double kLongestForSteps = 300;    // for the others
constexpr double kCoarsestOrderOne = 1e-2;  // tolerances that they reach in some thousand steps
constexpr double kCoarsestOrderTwo = 1e-4;

// A small graph with weights up to 40 decades apart, for any time; what it is depends on the seed alone.
struct FlowProblem {
  Graph graph;
  std::vector<Real> weights;
  KnownLabels known;
  Matrix front;
  ClassId classes;
  bool free;
  FlowOptions flow;

  explicit FlowProblem(std::uint64_t seed) {
    const Random random(seed);
    std::uint64_t drawn = 0;
    const auto below = [&](std::uint64_t n) { return random.below(n, drawn++); };
    const auto pick = [&](const auto& values) { return values[below(std::size(values))]; };
    const auto power_of_ten = [&](double from, double to) {
      return std::pow(10, from + (to - from) * random.uniform(drawn++));
    };
    const auto n = static_cast<NodeId>(2 + below(8));
    constexpr double kDecades[] = {0, 1, 6, 40, 40};
    const double decades = pick(kDecades), usual = below(2) == 0 ? 1 : power_of_ten(-5, 5);
    const bool weighted = below(5) > 0;
    ArcList arcs{.nodes = n};
    const auto join = [&](NodeId u, NodeId v) {
      arcs.from.push_back(u);
      arcs.to.push_back(v);
      if (weighted)
        arcs.weights.push_back(static_cast<Real>(usual * power_of_ten(-decades / 2, decades / 2)));
    };
    const std::uint64_t shape = below(5);
    for (NodeId u = 1; u < n && shape < 3; ++u) join(shape == 0 ? 0 : u - 1, u);  // a star, a path
    if (shape == 2 && n > 2) join(n - 1, 0);                                      // a circle
    for (NodeId u = 0; u < n && shape == 3; ++u) {                                // all with all
      for (NodeId v = 0; v < u; ++v) join(u, v);
    }
    const auto nodes = static_cast<std::uint64_t>(n);
    for (std::uint64_t i = shape == 4 ? 1 + below(3 * nodes) : 0; i > 0; --i)
      join(static_cast<NodeId>(below(nodes)), static_cast<NodeId>(below(nodes)));
    Threads threads(1);
    WeightedGraph built = build_graph(std::move(arcs), threads);
    graph = std::move(built.graph);
    weights = std::move(built.weights);

    classes = static_cast<ClassId>(1 + below(3));
    free = below(2) == 0;
    const std::uint64_t every = 1 + below(3);
    for (NodeId u = 0; u < n; ++u) {
      if (every == 1 ? u > 0 : below(every) > 0) continue;
      known.nodes.push_back(u);
      known.classes.push_back(static_cast<ClassId>(below(static_cast<std::uint64_t>(classes))));
    }
    if (below(2) == 0) {  // at one node, the same everywhere, or any
      const bool even = below(3) == 0;
      const bool at_one = below(3) == 0;
      front = Matrix(n, classes);
      for (NodeId u = 0; u < n; ++u) {
        for (ClassId c = 0; c < classes; ++c) {
          const double any = random.part(1).normal(drawn++);
          front(u, c) = static_cast<Real>(at_one && u != n / 2 ? 0 : even ? 0.7 : any);
        }
      }
    }
    constexpr LaplacianKind kLaplacians[] = {LaplacianKind::symmetric, LaplacianKind::random_walk,
                                             LaplacianKind::combinatorial};
    constexpr double kLoops[] = {0, 1, 1, 0.1, 1e-6, 1e6};
    constexpr double kTolerances[] = {1e-6, 1e-6, 1e-3, 1e-8};
    flow.laplacian = {.kind = pick(kLaplacians), .self_loop = pick(kLoops)};
    flow.lambda = below(3) == 0 ? power_of_ten(-2, 2) : 1;
    flow.time = below(12) == 0 ? 0 : power_of_ten(-3, 7);
    flow.solve.tolerance = pick(kTolerances);
    if (const double longest = kLongestFlow / rate(); flow.time > longest)
      flow.time = longest * power_of_ten(-6, 0);
  }

  DirichletProblem problem() const {
    return {
        .graph = graph, .weights = weights, .classes = classes, .known = known, .front = front, .free = free};
  }
  Dense laplacian() const {
    const std::vector<NodeId> clamped = free ? std::vector<NodeId>() : known.nodes;
    return test::scaled(test::dense_laplacian(graph, weights, flow.laplacian, clamped), flow.lambda);
  }
  double rate() const {  // of the fastest row, clamped or not
    return std::max(flow.lambda * test::largest(test::dense_laplacian(graph, weights, flow.laplacian, {})),
                    1e-30);
  }
  Dense truth(double time) const {
    return test::product(test::flow(laplacian(), time), test::dense_of(starting_state(problem())));
  }

  // The worst column's ‖answer − truth‖ over its ‖start‖, and the worst entry's error over what is said of it; both over what
  // they may be.
  double share_of_bound(const Temperatures& answer, const Dense& truth) const {
    const Dense start = test::dense_of(starting_state(problem()));
    const bool by_degree = flow.laplacian.kind == LaplacianKind::random_walk;
    const double bound = answer.report.error_bound;
    double worst = 0;
    const auto compare = [&](double error, double allowed) {
      constexpr double kOfReference = 1e-14;  // which rounds, too
      if (error > kOfReference) worst = std::max(worst, error / allowed);
    };
    for (std::size_t c = 0; c < start.cols; ++c) {
      double error = 0, norm = 0;
      for (std::size_t u = 0; u < start.rows; ++u) {
        const double off =
            static_cast<double>(answer.values(static_cast<std::int64_t>(u), static_cast<std::int64_t>(c))) -
            truth(u, c);
        double degree = flow.laplacian.self_loop;
        for (ArcId a = graph.begin_of(static_cast<NodeId>(u)); a < graph.begin_of(static_cast<NodeId>(u) + 1);
             ++a)
          degree += weights.empty() ? 1 : static_cast<double>(weights[at(a)]);
        const double m = by_degree && degree > 0 ? degree : 1;
        error += m * off * off;
        norm += m * start(u, c) * start(u, c);
        compare(std::abs(off), answer.column_errors[c]);
      }
      compare(std::sqrt(error / (norm > 0 ? norm : 1)), norm > 0 ? bound : 0);
    }
    return worst;
  }
};

double longest_for(std::string_view solver) {
  return solver == "chebyshev" ? kLongestFlow : solver == "krylov" ? kLongestForSpaces : kLongestForSteps;
}

double finest_tolerance(std::string_view solver) {
  if (solver == "euler" || solver == "implicit-euler") return kCoarsestOrderOne;
  return solver == "heun" || solver == "crank-nicolson" ? kCoarsestOrderTwo : 0;
}

TEST(Certificate, IsExceededByNoSolverInThousandsOfRandomFlows) {
  if (test::kDouble) GTEST_SKIP() << "the reference is no better than double precision";
  Threads threads(1);
  std::vector<const SolverEntry*> others;
  for (const SolverEntry& solver : solvers()) {
    if (solver.for_time && solver.name != "chebyshev") others.push_back(&solver);
  }
  std::map<std::string_view, std::uint64_t> flows;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const FlowProblem flow(seed);
    const Dense truth = flow.truth(flow.flow.time);
    for (const std::string_view solver :
         {std::string_view("chebyshev"), others[seed % others.size()]->name}) {
      if (flow.flow.time * flow.rate() > longest_for(solver)) continue;
      FlowOptions options = flow.flow;
      options.solver = solver;
      options.solve.tolerance = std::max(options.solve.tolerance, finest_tolerance(solver));
      Temperatures answer;
      try {
        answer = solve_dirichlet(flow.problem(), options, threads);
      } catch (const Error&) {
        continue;  // a tolerance that takes too many steps
      }
      if (std::isnan(answer.report.error_bound)) continue;  // dopri5 and bosh3 only estimate it then
      ++flows[solver];
      EXPECT_LE(flow.share_of_bound(answer, truth), 1)
          << solver << " seed " << seed << " with a bound of " << answer.report.error_bound;
    }
  }
  for (const auto& [solver, count] : flows) EXPECT_GT(count, kProblems / (4 * others.size())) << solver;
  EXPECT_EQ(flows.size(), others.size() + 1);
}

TEST(Certificate, OfEveryTimeOfACurveHoldsAndIsItsOwn) {
  if (test::kDouble) GTEST_SKIP() << "the reference is no better than double precision";
  Threads threads(1);
  int compared = 0, smaller = 0;
  for (std::uint64_t seed = 0; seed < kProblems / 10; ++seed) {
    const FlowProblem flow(seed);
    if (flow.flow.time == 0) continue;
    const double end = std::min(flow.flow.time, 1e5 / flow.rate());
    const std::vector<double> times = {0, end / 1000, end / 10, end};
    double shortest = 0;
    flow_curve(flow.problem(), flow.flow, times, threads, [&](double time, const Temperatures& answer) {
      EXPECT_LE(flow.share_of_bound(answer, flow.truth(time)), 1) << seed << " at " << time;
      if (time == times[1]) shortest = answer.report.error_bound;
      if (time == end) smaller += shortest < answer.report.error_bound;
      ++compared;
      return true;
    });
  }
  EXPECT_GT(compared, static_cast<int>(kProblems / 10 * 3));
  EXPECT_GT(smaller, compared / 8);
}

// A thousand equal numbers, added up one by one in single precision, round the same way again and again.
TEST(Certificate, HoldsBesideHubsWhoseNeighboursAreAllTheSame) {
  if (test::kDouble) GTEST_SKIP() << "nothing is rounded that much";
  Threads threads(1);
  for (const NodeId leaves : {8, 33, 200, 1000, 13'000}) {
    ArcList arcs{.nodes = leaves + 2};
    for (NodeId u = 2; u < arcs.nodes; ++u) {
      for (NodeId hub : {0, 1}) {
        arcs.from.push_back(hub);
        arcs.to.push_back(u);
      }
    }
    const Graph graph = build_graph(std::move(arcs), threads).graph;
    const KnownLabels nothing;
    for (double size : {0.1, 0.33, 0.7, 0.9}) {
      Matrix front(graph.nodes(), 1);
      for (NodeId u = 0; u < graph.nodes(); ++u) front(u, 0) = static_cast<Real>(size);
      for (double time : {0.5, 5.0, 50.0}) {
        const Temperatures answer = solve_dirichlet(
            {.graph = graph, .weights = {}, .classes = 1, .known = nothing, .front = front, .free = true},
            {.time = time, .laplacian = {.kind = LaplacianKind::random_walk}}, threads);
        double error = 0, norm = 0;
        for (NodeId u = 0; u < graph.nodes(); ++u) {
          const double off = static_cast<double>(answer.values(u, 0) - front(u, 0)),
                       degree = graph.degree(u) + 1;
          error += degree * off * off;
          norm += degree * size * size;
        }
        EXPECT_LE(std::sqrt(error / norm), answer.report.error_bound) << leaves << " " << size << " " << time;
        EXPECT_LT(answer.report.error_bound, 1e-6 * (1 + time)) << leaves;
      }
    }
  }
}

}  // namespace
}  // namespace heatfront
