// SPDX-License-Identifier: MIT
#include "heatfront/flow/dirichlet.h"
#include "heatfront/graph/edge_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/flow_memory.h"
#include "heatfront/nn/loss.h"
#include "heatfront/solve/solvers.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/formats/open.h"
#include "support/error_text.h"
#include "support/precision.h"
#include "support/public_data.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;
using test::dense_of;
using test::RandomProblem;

using test::kDouble;

KnownLabels labels_of(const std::vector<NodeId>& nodes, ClassId classes) {
  KnownLabels known{.nodes = nodes};
  for (NodeId u : nodes) known.classes.push_back(u % classes);
  return known;
}

// Two nodes with loops of 1: f1' = ½ f0 − ½ f1 with f0 = 1, so f1 = 1 − e^(−t/2).
TEST(Dirichlet, OnTwoNodesIsWhatOneComputesByHand) {
  Threads threads(1);
  const Graph pair = build_graph(ArcList{.nodes = 2, .from = {0}, .to = {1}}, threads).graph;
  const KnownLabels known{{0}, {1}};
  const DirichletProblem problem{.graph = pair, .weights = {}, .classes = 2, .known = known};
  const Temperatures result = solve_dirichlet(problem, {.time = 3, .solve = {.tolerance = 1e-7}}, threads);
  EXPECT_NEAR(result.values(1, 1), 1 - std::exp(-1.5), 1e-6);
  EXPECT_EQ(result.values(1, 0), 0);
  EXPECT_EQ(result.values(0, 1), 1);
}

TEST(Dirichlet, IsSolvedByEverySolverOfTheTable) {
  Threads threads(2);
  const RandomProblem random(3, 40, 4, 5);
  const KnownLabels known = labels_of(random.known, 4);
  const DirichletProblem problem{
      .graph = random.graph, .weights = random.weights, .classes = 4, .known = known, .front = random.front};
  const auto solved = [&](double time, const std::string& solver) {
    return dense_of(
        solve_dirichlet(problem, {.time = time, .solver = solver, .solve = {.tolerance = 1e-5}}, threads)
            .values);
  };
  const Dense flow = solved(2, ""), rest = solved(FlowOptions::kForever, "");
  for (const SolverEntry& entry : solvers()) {
    const bool steady = entry.for_steady_state != nullptr;
    const Dense found = solved(steady ? FlowOptions::kForever : 2, std::string(entry.name));
    EXPECT_LT(largest_difference(found, steady ? rest : flow), 1e-3) << entry.name;
  }
}

TEST(Dirichlet, GivesTheSameColumnsInBlocks) {
  Threads threads(1);
  const RandomProblem random(5, 60, 23);
  const KnownLabels known = labels_of(random.known, 23);
  const DirichletProblem problem{
      .graph = random.graph, .weights = random.weights, .classes = 23, .known = known};
  const Temperatures whole = solve_dirichlet(problem, {}, threads);
  const Temperatures blocks = solve_dirichlet(
      problem, {.memory_limit = 60 * 8 * 4 * static_cast<std::int64_t>(sizeof(Real))}, threads);
  EXPECT_EQ(dense_of(whole.values).values, dense_of(blocks.values).values);
  EXPECT_EQ(whole.report.products, blocks.report.products);
  EXPECT_NE(test::error_text([&] { solve_dirichlet(problem, {.memory_limit = 100}, threads); }), "");
}

TEST(Dirichlet, OfNoNodesTakesNoMemoryUnderALimitEither) {
  Threads threads(1);
  const Graph none = Graph::without_edges(0);
  const KnownLabels known;
  const DirichletProblem problem{.graph = none, .weights = {}, .classes = 2, .known = known};
  const FlowOptions options{.memory_limit = 1 << 20};
  EXPECT_EQ(estimate_memory(problem, options).total(), 0);
  EXPECT_EQ(solve_dirichlet(problem, options, threads).values.rows(), 0);
}

TEST(Dirichlet, DependsOnTheWeights) {
  Threads threads(1);
  const Graph path = build_graph(ArcList{.nodes = 3, .from = {0, 1}, .to = {1, 2}}, threads).graph;
  const KnownLabels known{{0, 2}, {0, 1}};
  const std::vector<Real> weights = {1, 1, 9, 9};
  const DirichletProblem problem{.graph = path, .weights = weights, .classes = 2, .known = known};
  const Temperatures result = solve_dirichlet(problem, {.time = FlowOptions::kForever}, threads);
  // Steady: d f1 = w f0/√(d0) √d… in the symmetric Laplacian: f1/√d1 = Σ w f_v/√d_v / (d1 − 1).
  const double expected = std::sqrt(11.0) * 9 / std::sqrt(10.0) / 10;
  EXPECT_NEAR(result.values(1, 1), expected, 1e-5);
  EXPECT_GT(result.values(1, 1), result.values(1, 0));
}

// A component that no label reaches rests where its own flow comes to rest, not at NaN and not where CG
// stops.
TEST(Dirichlet, BringsComponentsWithoutLabelsToTheRestOfTheirFlow) {
  Threads threads(1);
  const Graph graph =
      build_graph(ArcList{.nodes = 6, .from = {0, 2, 3, 4}, .to = {1, 3, 4, 5}}, threads).graph;
  const KnownLabels known{{0}, {1}};
  const Matrix front = RandomProblem(1, 6, 2).front;
  for (const LaplacianEntry& entry : laplacian_kinds()) {
    const DirichletProblem problem{
        .graph = graph, .weights = {}, .classes = 2, .known = known, .front = front};
    const Temperatures rest =
        solve_dirichlet(problem, {.time = FlowOptions::kForever, .laplacian = {entry.kind, 1}}, threads);
    const Temperatures late = solve_dirichlet(problem, {.time = 200, .laplacian = {entry.kind, 1}}, threads);
    EXPECT_LT(largest_difference(dense_of(rest.values), dense_of(late.values)), 2e-5) << entry.name;
  }
}

// Graphs like trees, where most nodes are in branches that are cut off, and denser ones, where none are.
TEST(Dirichlet, IsHarmonicOffTheKnownNodesWithAndWithoutBranches) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomProblem random(seed, 40, 3, seed % 2 == 0 ? 2 : 6);
    const KnownLabels known = labels_of(random.known, 3);
    const DirichletProblem problem{
        .graph = random.graph, .weights = random.weights, .classes = 3, .known = known};
    for (const LaplacianEntry& entry : laplacian_kinds()) {
      const LaplacianOptions options{entry.kind, 1};
      const Temperatures rest =
          solve_dirichlet(problem, {.time = FlowOptions::kForever, .laplacian = options}, threads);
      const Dense change = test::product(
          test::dense_laplacian(random.graph, random.weights, options, random.known), dense_of(rest.values));
      EXPECT_LT(largest_difference(change, Dense(40, 3)), 1e-5) << entry.name << ", seed " << seed;
    }
  }
}

TEST(Dirichlet, RefusesWhatMakesNoSense) {
  Threads threads(1);
  const Graph pair = build_graph(ArcList{.nodes = 2, .from = {0}, .to = {1}}, threads).graph;
  const KnownLabels known{{0}, {1}};
  const DirichletProblem problem{.graph = pair, .weights = {}, .classes = 2, .known = known};
  for (const FlowOptions& wrong :
       {FlowOptions{.time = -1}, FlowOptions{.time = std::nan("")}, FlowOptions{.lambda = 0},
        FlowOptions{.solve = {.tolerance = 0}}, FlowOptions{.solver = "chebishev"}}) {
    EXPECT_NE(test::error_text([&] { solve_dirichlet(problem, wrong, threads); }), "");
  }
}

TEST(FlowCurve, IsTheFlowAtEachTimeAlsoInGroups) {
  Threads threads(1);
  const RandomProblem random(8, 50, 3);
  const KnownLabels known = labels_of(random.known, 3);
  const DirichletProblem problem{
      .graph = random.graph, .weights = random.weights, .classes = 3, .known = known};
  const std::vector<double> times = {0, 0.5, 1, 4, 9, 5000, 9000};
  for (std::int64_t memory : {std::int64_t{0}, std::int64_t{50 * 4 * sizeof(Real) * 5}}) {
    std::size_t seen = 0;
    flow_curve(problem, {.memory_limit = memory}, times, threads, [&](double time, const Temperatures& at) {
      EXPECT_EQ(time, times[seen++]);
      const Temperatures alone = solve_dirichlet(problem, {.time = time}, threads);
      EXPECT_LT(largest_difference(dense_of(at.values), dense_of(alone.values)), kDouble ? 2e-5 : 1e-4)
          << time;
      return true;
    });
    EXPECT_EQ(seen, times.size());
  }
}

TEST(Decide, NamesKnownDecidedUndecidedAndUnreachedNodes) {
  Threads threads(1);
  // 0–1–2 with 0 known as class 1; 3–4 with nothing known; a long path 5 … 45 with 5 known as class 0.
  ArcList arcs{.nodes = 46, .from = {0, 1, 3}, .to = {1, 2, 4}};
  for (NodeId u = 5; u < 45; ++u) arcs.from.push_back(u), arcs.to.push_back(u + 1);
  const Graph graph = build_graph(std::move(arcs), threads).graph;
  const KnownLabels known{{0, 5, 6}, {1, 0, 0}};
  const DirichletProblem problem{.graph = graph, .weights = {}, .classes = 2, .known = known};
  const Temperatures temperatures = solve_dirichlet(problem, {.time = 1}, threads);
  const Decisions decisions =
      decide(problem, reached_nodes(problem), temperatures, labelled_prior(known, 2), threads);
  EXPECT_EQ(decisions.status[0], NodeStatus::known);
  EXPECT_EQ(decisions.status[1], NodeStatus::decided);
  EXPECT_EQ(decisions.classes[2], 1);
  EXPECT_EQ(decisions.status[3], NodeStatus::unreached);
  EXPECT_EQ(decisions.classes[3], 0);  // the likeliest of the known labels
  EXPECT_EQ(decisions.status[45], NodeStatus::undecided);
  EXPECT_EQ(decisions.classes[45], 0);
  EXPECT_EQ(decisions.count(NodeStatus::unreached), 2);
  EXPECT_EQ(decisions.confidence[1], 1);
}

TEST(Decide, GivesSharesOfWhichTheHighestIsTheConfidence) {
  Threads threads(1);
  const Graph graph = build_graph({.nodes = 3, .from = {0}, .to = {1}}, threads).graph;
  const KnownLabels known{{0}, {1}};
  Matrix values(3, 2);
  values(1, 0) = 1, values(1, 1) = 3;
  const DirichletProblem heat{.graph = graph, .weights = {}, .classes = 2, .known = known};
  const Answer parts = decide_by(heat, values, {}, reached_nodes(heat), threads);
  EXPECT_EQ(class_shares(parts, 1), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(class_shares(parts, 2), (std::vector<double>{0, 1})) << "the prior, without heat";
  const DirichletProblem logits{
      .graph = graph, .weights = {}, .classes = 2, .known = known, .front = values.view()};
  const Answer softmax = decide_by(logits, values, {}, all_nodes(graph), threads);
  EXPECT_NEAR(class_shares(softmax, 1)[1], 1 / (1 + std::exp(-2.0)), 1e-12);
  EXPECT_NEAR(static_cast<double>(softmax.decisions.confidence[1]),
              static_cast<double>(static_cast<Real>(class_shares(softmax, 1)[1])), 1e-15);
}

TEST(Decide, GivesEveryClassItsShareOfTheHeat) {
  Threads threads(1);
  const RandomProblem random(2, 80, 1, 6);
  KnownLabels known = labels_of(random.known, 3);
  const DirichletProblem problem{
      .graph = random.graph, .weights = random.weights, .classes = 3, .known = known};
  Temperatures temperatures = solve_dirichlet(problem, {}, threads);
  const std::vector<double> prior = {0.5, 0.3, 0.2};
  normalise_class_mass(temperatures, known, prior);
  std::vector<double> mass(3);
  for (NodeId u = 0; u < 80; ++u) {
    if (std::ranges::count(known.nodes, u) > 0) continue;
    for (std::size_t c = 0; c < 3; ++c) mass[c] += static_cast<double>(temperatures.values.row(u)[c]);
  }
  EXPECT_NEAR(mass[0] / mass[1], 0.5 / 0.3, 1e-4);
  EXPECT_NEAR(mass[1] / mass[2], 0.3 / 0.2, 1e-4);
}

TEST(Metrics, CountAndAverage) {
  const std::vector<ClassId> classes = {0, 1, 1}, labels = {0, 1, 0};
  const std::vector<NodeId> all = {0, 1, 2};
  EXPECT_NEAR(accuracy(classes, labels, all), 2.0 / 3, 1e-15);
  EXPECT_TRUE(std::isnan(accuracy(classes, labels, {})));
  Matrix logits(3, 2);
  logits(0, 0) = 1000;
  EXPECT_NEAR(cross_entropy(logits, labels, all), 2 * std::log(2.0) / 3, 1e-7);
}

struct CoraPoint {
  double time;
  bool validation_known;
  double test_percent;
  std::int64_t unreached;
};

KnownLabels known_of(const Dataset& dataset, bool with_validation) {
  KnownLabels known{.nodes = dataset.split->train};
  if (with_validation)
    known.nodes.insert(known.nodes.end(), dataset.split->validation.begin(), dataset.split->validation.end());
  for (NodeId u : known.nodes) known.classes.push_back(dataset.labels[static_cast<std::size_t>(u)]);
  return known;
}

void expect_point(const std::string& name, const CoraPoint& point) {
  Threads threads(2);
  const Dataset data = open_dataset(test::public_data(name).string(), {}, threads);
  const KnownLabels known = known_of(data, point.validation_known);
  const DirichletProblem problem{
      .graph = data.graph, .weights = data.weights, .classes = data.classes(), .known = known};
  const Temperatures result = solve_dirichlet(
      problem, {.time = point.time, .solve = {.tolerance = std::isinf(point.time) ? 1e-6 : 1e-7}}, threads);
  EXPECT_TRUE(result.report.reached);
  EXPECT_NEAR(100 * accuracy(warmest_classes(result.values), data.labels, data.split->test),
              point.test_percent, 0.051)
      << name << " " << point.time;
  EXPECT_EQ(std::ranges::count(reached_nodes(problem), false), point.unreached);
}

TEST(Dirichlet, GivesTheKnownAccuraciesOnCoraAndCiteseer) {
  if (test::public_data("cora.npz").empty()) GTEST_SKIP() << "SKIPPED: needs the public data";
  for (const CoraPoint& point : std::initializer_list<CoraPoint>{{5, false, 68.4, 158},
                                                                 {20, false, 72.3, 158},
                                                                 {50, false, 73.1, 158},
                                                                 {FlowOptions::kForever, false, 73.2, 158},
                                                                 {FlowOptions::kForever, true, 79.5, 89}}) {
    expect_point("cora.npz", point);
  }
  expect_point("citeseer.npz", {5, false, 46.4, 1052});
  expect_point("citeseer.npz", {25, false, 49.7, 1052});
}

TEST(Dirichlet, NeedsFewProductsOnCora) {
  if (test::public_data("cora.npz").empty()) GTEST_SKIP() << "SKIPPED: needs the public data";
  Threads threads(1);
  const Dataset cora = open_dataset(test::public_data("cora.npz").string(), {}, threads);
  const KnownLabels known = known_of(cora, false);
  for (bool free : {false, true}) {
    const DirichletProblem problem{
        .graph = cora.graph, .weights = {}, .classes = 7, .known = known, .free = free};
    EXPECT_LE(solve_dirichlet(problem, {.time = 5, .solve = {.tolerance = 1e-6}}, threads).report.products,
              13);
    EXPECT_LE(solve_dirichlet(problem, {.time = 50, .solve = {.tolerance = 1e-10}}, threads).report.products,
              50);
    const auto dopri5 =
        solve_dirichlet(problem, {.time = 5, .solver = "dopri5", .solve = {.tolerance = 2.6457e-3}}, threads)
            .report;
    EXPECT_NEAR(static_cast<double>(dopri5.products), 32, 6.4);
  }
}

// Computed by other software in float64: free and clamped flows, and gradients, on Cora with learned weights.
TEST(Dirichlet, AgreesWithTheKnownAnswerOnARealGraph) {
  const std::filesystem::path file = test::public_data("../golden/cora_flow.npz");
  if (file.empty()) GTEST_SKIP() << "SKIPPED: needs golden/cora_flow.npz beside the public data";
  Threads threads(2);
  const Dataset cora = open_dataset(file.string(), {}, threads);
  const NpzReader arrays(file);
  const Matrix front = to_matrix(arrays.read("front"));
  for (const auto& [name, known, free] : {std::tuple("free", known_of(cora, false), true),
                                          std::tuple("clamped_train", known_of(cora, false), false),
                                          std::tuple("clamped_trainval", known_of(cora, true), false)}) {
    const DirichletProblem problem{.graph = cora.graph,
                                   .weights = cora.weights,
                                   .classes = 7,
                                   .known = known,
                                   .front = front,
                                   .free = free};
    const Temperatures result =
        solve_dirichlet(problem, {.time = 5, .solve = {.tolerance = kDouble ? 1e-12 : 1e-7}}, threads);
    Dense expected(static_cast<std::size_t>(cora.nodes()), 7);
    expected.values = to_doubles(arrays.read(name));
    EXPECT_LT(largest_difference(dense_of(result.values), expected),
              (kDouble ? 1e-9 : 1e-5) * test::largest(expected))
        << name;
  }
}

TEST(Dirichlet, HasTheKnownGradientsOnARealGraph) {
  const std::filesystem::path file = test::public_data("../golden/cora_flow.npz");
  if (file.empty()) GTEST_SKIP() << "SKIPPED: needs golden/cora_flow.npz beside the public data";
  if (!kDouble) GTEST_SKIP() << "SKIPPED: needs the double-precision build";
  Threads threads(2);
  const Dataset cora = open_dataset(file.string(), {}, threads);
  const NpzReader arrays(file);
  const KnownLabels known = known_of(cora, false);
  const Matrix plain = to_matrix(arrays.read("front"));
  const DirichletProblem problem{.graph = cora.graph,
                                 .weights = cora.weights,
                                 .classes = 7,
                                 .known = known,
                                 .front = plain,
                                 .free = true};
  const Matrix start = starting_state(problem);
  // w = sigmoid((θ_uv + θ_vu)/2) with the weights as stored in single precision.
  Laplacian laplacian(cora.graph, cora.weights, {}, 1, threads);
  const auto solver = time_solver("chebyshev", {.tolerance = 1e-13});
  Trace trace;
  Matrix end = start;
  laplacian.enter(end);
  solver->solve(laplacian, 5, end, &trace);
  laplacian.leave(end);
  EXPECT_NEAR(cross_entropy(end, cora.labels, known.nodes), to_doubles(arrays.read("loss"))[0], 1e-6);

  Matrix d_end(end.rows(), end.cols(), end.stride());
  for (NodeId u : known.nodes) {
    double sum = 0;
    for (Real x : end.row(u)) sum += std::exp(static_cast<double>(x));
    for (std::int64_t c = 0; c < 7; ++c) {
      const double share = std::exp(static_cast<double>(end(u, c))) / sum;
      const double target = c == cora.labels[static_cast<std::size_t>(u)] ? 1 : 0;
      d_end(u, c) = static_cast<Real>((share - target) / static_cast<double>(known.nodes.size()));
    }
  }
  Matrix d_start = d_end;
  OperatorGradient gradient = laplacian.zero_gradient();
  laplacian.enter_adjoint(d_start);
  solver->backward(laplacian, 5, trace, d_start, &gradient);
  laplacian.leave_adjoint(d_start);
  Dense expected(static_cast<std::size_t>(cora.nodes()), 7);
  expected.values = to_doubles(arrays.read("dfront"));
  EXPECT_LT(largest_difference(dense_of(d_start), expected), 1e-6 * test::largest(expected));

  Laplacian::WeightGradient weights;
  laplacian.weight_gradient(gradient, start, d_start, end, d_end, reverse_arcs(laplacian.graph()), weights);
  const std::vector<double> d_theta = to_doubles(arrays.read("dtheta"));
  double worst = 0, most = 0;
  for (std::size_t a = 0; a < d_theta.size(); ++a) {
    const double w = static_cast<double>(cora.weights[a]);
    worst = std::max(worst, std::abs(static_cast<double>(weights.edges[a]) * w * (1 - w) / 2 - d_theta[a]));
    most = std::max(most, std::abs(d_theta[a]));
  }
  EXPECT_LT(worst, 1e-6 * most);
}

}  // namespace
}  // namespace heatfront
