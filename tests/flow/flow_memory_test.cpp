// SPDX-License-Identifier: MIT
// What a flow is said to take, beside what it takes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heatfront/flow/flow_memory.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/generate.h"
#include "heatfront/solve/solvers.h"
#include "support/allocations.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

constexpr ClassId kManyClasses = 20;
constexpr std::int64_t kFewNumbers =
    20'000;  // bytes: a few a column or a block of rows; a state is some 200,000

KnownLabels every(NodeId step, const Graph& graph) {
  KnownLabels known;
  for (NodeId u = 0; u < graph.nodes(); u += step) {
    known.nodes.push_back(u);
    known.classes.push_back(u / step % kManyClasses);
  }
  return known;
}

// A grid, and on each of its nodes a path of two.
Graph grid_with_branches(NodeId side, Threads& threads) {
  const Graph grid = grid_graph(side, side);
  ArcList arcs{.nodes = 3 * grid.nodes()};
  for (NodeId u = 0; u < grid.nodes(); ++u) {
    for (NodeId v : grid.neighbours(u)) {
      arcs.from.push_back(3 * u);
      arcs.to.push_back(3 * v);
    }
    for (NodeId step : {0, 1}) {
      arcs.from.push_back(3 * u + step);
      arcs.to.push_back(3 * u + step + 1);
    }
  }
  return build_graph(arcs, threads).graph;
}

class FlowMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::kCountsAllocations) GTEST_SKIP() << "SKIPPED: a sanitizer allocates in its own way";
  }

  // The time makes krylov use all the states that it may.
  static FlowOptions options_for(const SolverEntry& entry) {
    const double time = entry.name == "krylov" ? 3000 : 1;
    return {.time = entry.for_steady_state != nullptr ? FlowOptions::kForever : time,
            .solver = std::string(entry.name),
            .solve = {.tolerance = 1e-2}};
  }

  void expect_estimate(const DirichletProblem& problem, const FlowOptions& options) {
    const std::int64_t said = estimate_memory(problem, options).total();
    const test::MemoryWatch watch;
    solve_dirichlet(problem, options, threads_);
    expect_between(said, watch.peak(), options);
  }

  static void expect_between(std::int64_t said, std::int64_t taken, const FlowOptions& options) {
    const std::string where = options.solver + " at time " + std::to_string(options.time) + ", limit " +
                              std::to_string(options.memory_limit);
    EXPECT_GE(said + kFewNumbers, taken) << where;
    EXPECT_LE(said, 2 * taken) << where;
  }

  Threads threads_{2};
};

TEST_F(FlowMemory, IsWhatWasSaidForEverySolverAndBlocksOfColumns) {
  const Graph grid = grid_graph(120, 100);
  const KnownLabels known = every(10, grid);
  const DirichletProblem problem{.graph = grid, .weights = {}, .classes = kManyClasses, .known = known};
  for (const SolverEntry& entry : solvers()) {
    FlowOptions options = options_for(entry);
    expect_estimate(problem, options);
    options.memory_limit = estimate_memory(problem, options).least_states;
    expect_estimate(problem, options);
    EXPECT_LE(estimate_memory(problem, options).states, options.memory_limit) << entry.name;
    options.memory_limit -= 1;
    EXPECT_NE(test::error_text([&] { solve_dirichlet(problem, options, threads_); }), "") << entry.name;
  }
}

TEST_F(FlowMemory, IsWhatWasSaidWhereBranchesAreCutOff) {
  const Graph graph = grid_with_branches(60, threads_);
  const KnownLabels known = every(30, graph);
  const std::vector<Real> twos(static_cast<std::size_t>(graph.arcs()), Real(2));
  for (const std::vector<Real>& weights : {std::vector<Real>(), twos}) {
    const DirichletProblem problem{
        .graph = graph, .weights = weights, .classes = kManyClasses, .known = known};
    for (const SolverEntry& entry : solvers())
      if (entry.for_steady_state != nullptr) expect_estimate(problem, options_for(entry));
  }
}

TEST_F(FlowMemory, IsWhatWasSaidWhereNodesAreReorderedOrAllAreKnown) {
  const Graph grid = grid_graph(120, 100);
  for (NodeId step : {10, 1}) {
    const KnownLabels known = every(step, grid);
    const DirichletProblem problem{.graph = grid, .weights = {}, .classes = kManyClasses, .known = known};
    for (Reordering reorder : {Reordering::none, Reordering::rcm, Reordering::degree})
      expect_estimate(problem, {.time = 2, .solver = "chebyshev", .reorder = reorder});
  }
}

TEST_F(FlowMemory, IsWhatWasSaidForManyTimes) {
  const Graph grid = grid_graph(120, 100);
  const KnownLabels known = every(10, grid);
  const DirichletProblem problem{.graph = grid, .weights = {}, .classes = kManyClasses, .known = known};
  const std::vector<double> times = {0.1, 0.2, 0.5, 1, 2, 3, 4, 5};
  for (Reordering reorder : {Reordering::none, Reordering::rcm}) {
    FlowOptions options{.reorder = reorder};
    const std::int64_t least = estimate_curve_memory(problem, options, std::ssize(times)).least_states;
    for (std::int64_t limit : {std::int64_t{0}, 2 * least, least}) {
      options.memory_limit = limit;
      const MemoryEstimate estimate = estimate_curve_memory(problem, options, std::ssize(times));
      const test::MemoryWatch watch;
      flow_curve(problem, options, times, threads_, [](double, const Temperatures&) { return true; });
      expect_between(estimate.total(), watch.peak(), options);
      EXPECT_LE(estimate.states, limit > 0 ? limit : std::int64_t{1} << 30);
    }
    options.memory_limit = least - 1;
    EXPECT_NE(test::error_text([&] {
                flow_curve(problem, options, times, threads_,
                           [](double, const Temperatures&) { return true; });
              }),
              "");
  }
}

}  // namespace
}  // namespace heatfront
