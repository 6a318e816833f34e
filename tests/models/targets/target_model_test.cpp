// SPDX-License-Identifier: MIT
// Values and many labels beside dense references, really leaving labels out, and really counting how often intervals hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heatfront/base/random.h"
#include "heatfront/label/target_flow.h"
#include "heatfront/label/target_session.h"
#include "heatfront/train/target_fit.h"
#include "support/error_text.h"
#include "support/precision.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;

constexpr double kTargetClose = test::kDouble ? 1e-9 : 5e-4;
constexpr const char* kExact = test::kDouble ? "tolerance=1e-14" : "tolerance=1e-6";

// A random graph with dense features, some of whose nodes have values in units of their own, or classes.
Dataset random_targets(std::uint64_t seed, NodeId nodes, std::int64_t columns, LabelKind kind) {
  const test::RandomProblem problem(seed, nodes, columns);
  const Random random = Random(seed).part(11);
  Dataset data{.name = "random", .graph = problem.graph, .weights = problem.weights};
  Matrix features(nodes, columns);
  for (std::int64_t u = 0; u < nodes; ++u)
    for (std::int64_t k = 0; k < columns; ++k) features(u, k) = problem.front(u, k);
  data.features = Features(features);
  data.labels.assign(at(nodes), kUnknown);
  data.targets = {.kind = kind, .names = {"depth", "flow"}, .nodes = {}, .values = {}};
  for (NodeId u = 0; u < nodes; ++u) {
    if (random.below(3, at(u)) != 0 && u >= 6) continue;
    const double first = static_cast<double>(features(u, 0)) + 0.3 * random.part(1).normal(at(u));
    const double second = random.part(2).normal(at(u));
    data.targets.nodes.push_back(u);
    if (kind == LabelKind::values) {
      data.targets.values.insert(data.targets.values.end(), {1000 + 50 * first, -3 + 0.01 * second});
    } else {
      data.targets.values.insert(data.targets.values.end(),
                                 {first > 0 ? 1.0 : 0.0, second > 0.5 ? 1.0 : 0.0});
    }
  }
  data.split = all_targets(data);
  return data;
}

Targets without_place(const Targets& known, std::size_t place) {
  std::vector<bool> left_out(known.size());
  left_out[place] = true;
  return without(known, left_out);
}

// The only setting there is, so that nothing is left to choose.
TargetFit fit_one(const Dataset& data, const std::string& model) {
  Threads threads(1);
  return fit_targets(data,
                     {.model = model,
                      .settings = {"features=standardised", "time=2", "self_loop=1", "ridge=0.5", "average=1",
                                   "flow_time=3", kExact}},
                     threads);
}

// A⁻¹ B by Gaussian elimination with pivots.
Dense eliminated(Dense a, Dense b) {
  for (std::size_t k = 0; k < a.rows; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < a.rows; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    for (std::size_t j = 0; j < a.cols; ++j) std::swap(a(k, j), a(pivot, j));
    for (std::size_t j = 0; j < b.cols; ++j) std::swap(b(k, j), b(pivot, j));
    for (std::size_t i = 0; i < a.rows; ++i) {
      if (i == k) continue;
      const double factor = a(i, k) / a(k, k);
      for (std::size_t j = 0; j < a.cols; ++j) a(i, j) -= factor * a(k, j);
      for (std::size_t j = 0; j < b.cols; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.cols; ++j) b(i, j) /= a(i, i);
  return b;
}

// z_uᵀ W written out: (n, columns), in units of the scale.
Dense dense_front(const TargetModel& model, const Targets& known) {
  const Dataset& data = model.data;
  const FittedFront& front = model.fronts.at(0);
  const FrontSetting& setting = front.setting;
  const double kappa = front.kappa, weight = front.weight;
  const Dense x = test::dense_of(FrontFeatures(setting.kernel.features, data).dense());
  const LaplacianOptions laplacian{.kind = LaplacianKind::random_walk, .self_loop = setting.kernel.self_loop};
  const Dense z = test::product(
      test::flow(test::dense_laplacian(data.graph, data.weights, laplacian, {}), setting.kernel.time), x);
  const std::size_t labels = known.size();
  Dense gram(labels, labels), y(labels, known.columns()), f(z.rows, known.columns());
  const auto kernel = [&](std::size_t u, std::size_t v) {
    double sum = 0;
    for (std::size_t k = 0; k < z.cols; ++k) sum += z(u, k) * z(v, k) / kappa;
    return sum;
  };
  for (std::size_t i = 0; i < labels; ++i) {
    for (std::size_t j = 0; j < labels; ++j) gram(i, j) = kernel(at(known.nodes[i]), at(known.nodes[j]));
    gram(i, i) += setting.ridge;
    for (std::size_t c = 0; c < y.cols; ++c)
      y(i, c) = (known.row(i)[c] - model.units.centre[c]) / model.units.scale[c];
  }
  const Dense alpha = eliminated(gram, y);
  for (std::size_t u = 0; u < z.rows; ++u)
    for (std::size_t i = 0; i < labels; ++i)
      for (std::size_t c = 0; c < y.cols; ++c)
        f(u, c) += weight * kernel(u, at(known.nodes[i])) * alpha(i, c);
  for (NodeId u = 0; u < data.nodes(); ++u) {  // rows of nodes without edges are no longer than √κ
    const double square = kernel(at(u), at(u)) * kappa;
    const bool shortens = data.graph.degree(u) == 0 && square > kappa && setting.kernel.time > 0;
    for (std::size_t c = 0; c < f.cols && shortens; ++c) f(at(u), c) *= std::sqrt(kappa / square);
  }
  return f;
}

// Heat from what the front leaves of the labels, which are held: exp of the Laplacian whose held rows are zero.
Dense dense_flow(const TargetModel& model, const Targets& known, const Dense& front) {
  const Dataset& data = model.data;
  Dense state(front.rows, front.cols);
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t c = 0; c < state.cols; ++c)
      state(at(known.nodes[i]), c) =
          (known.row(i)[c] - model.units.centre[c]) / model.units.scale[c] - front(at(known.nodes[i]), c);
  const Dense heat = test::flow(
      test::dense_laplacian(data.graph, data.weights, {.kind = LaplacianKind::random_walk}, known.nodes),
      model.flow_time);
  return test::product(heat, state);
}

Dense dense_answer(const TargetModel& model, const Targets& known) {
  const auto nodes = at(model.data.nodes());
  Dense f(nodes, known.columns());
  if (model.entry().has_front) f = dense_front(model, known);
  if (model.entry().has_flow) {
    const Dense heat = dense_flow(model, known, f);
    for (std::size_t u = 0; u < nodes; ++u)
      for (std::size_t c = 0; c < f.cols; ++c) f(u, c) += heat(u, c);
  }
  return f;
}

// In units of the scale.
double gap(const TargetModel& model, double said, double f, std::size_t c) {
  double expected = model.units.centre[c] + model.units.scale[c] * f;
  if (model.data.targets.kind == LabelKind::many) expected = std::clamp(expected, 0.0, 1.0);
  return std::abs(said - expected) / model.units.scale[c];
}

struct TargetCase {
  std::string model;
  LabelKind kind;
};

class EveryTargetModel : public testing::TestWithParam<TargetCase> {};

TEST_P(EveryTargetModel, SaysWhatTheDenseFormulaSays) {
  Threads threads(1);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Dataset data = random_targets(seed, 40, seed % 2 == 0 ? 3 : 60, GetParam().kind);
    TargetSession session(fit_one(data, GetParam().model).model, threads);
    const TargetAnswer answer = session.answer();
    const Dense f = dense_answer(session.model(), session.known());
    for (NodeId u = 0; u < data.nodes(); ++u) {
      if (answer.status[at(u)] == TargetStatus::known) continue;
      for (std::size_t c = 0; c < 2; ++c)
        EXPECT_LT(gap(session.model(), answer.row(u)[c], f(at(u), c), c), kTargetClose) << seed << " " << u;
    }
    for (std::size_t i = 0; i < data.targets.size(); ++i)
      EXPECT_TRUE(std::ranges::equal(answer.row(data.targets.nodes[i]), data.targets.row(i)));
  }
}

TEST_P(EveryTargetModel, TakesLabelsUpAndLaysThemDownExactly) {
  Threads threads(1);
  const Dataset data = random_targets(5, 40, 4, GetParam().kind);
  TargetSession session(fit_one(data, GetParam().model).model, threads);
  const TargetAnswer before = session.answer();
  const std::vector<double> row =
      GetParam().kind == LabelKind::values ? std::vector<double>{1100, -2.9} : std::vector<double>{1, 1};
  const auto matches = [&] {
    const TargetAnswer answer = session.answer();
    const Dense f = dense_answer(session.model(), session.known());
    double most = 0;
    for (NodeId u = 0; u < data.nodes(); ++u) {
      if (answer.status[at(u)] == TargetStatus::known) continue;
      for (std::size_t c = 0; c < 2; ++c)
        most = std::max(most, gap(session.model(), answer.row(u)[c], f(at(u), c), c));
    }
    return most;
  };
  const NodeId unlabelled = [&] {
    for (NodeId u = 0;; ++u)
      if (!data.targets.place_of(u)) return u;
  }();
  EXPECT_TRUE(session.set(unlabelled, row));
  EXPECT_FALSE(session.set(unlabelled, row));
  EXPECT_LT(matches(), kTargetClose);
  EXPECT_TRUE(session.set(data.targets.nodes[1], row));
  EXPECT_TRUE(session.unset(data.targets.nodes[2]));
  EXPECT_LT(matches(), kTargetClose);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(session.undo(), 1);
  const TargetAnswer after = session.answer();
  for (std::size_t i = 0; i < after.values.size(); ++i)
    EXPECT_NEAR(after.values[i], before.values[i], kTargetClose * session.model().units.scale[i % 2]);
  EXPECT_NE(test::error_text([&] { session.undo(); }).find("nothing to undo"), std::string::npos);
}

TEST_P(EveryTargetModel, ExplainsEveryAnswerByPartsThatAddUp) {
  Threads threads(1);
  const Dataset data = random_targets(6, 40, 4, GetParam().kind);
  TargetSession session(fit_one(data, GetParam().model).model, threads);
  const TargetAnswer answer = session.answer();
  for (NodeId u = 0; u < data.nodes(); ++u) {
    for (std::size_t c = 0; c < 2; ++c) {
      const TargetExplanation e = explain_target(session, answer, u, c);
      EXPECT_LT(e.residual / session.model().units.scale[c], test::kDouble ? 1e-6 : 1e-3) << u;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, EveryTargetModel,
                         testing::Values(TargetCase{"linear-front", LabelKind::values},
                                         TargetCase{"flow-alone", LabelKind::values},
                                         TargetCase{"linear-front+flow", LabelKind::values},
                                         TargetCase{"linear-front", LabelKind::many},
                                         TargetCase{"flow-alone", LabelKind::many},
                                         TargetCase{"linear-front+flow", LabelKind::many}));

TEST(TargetModels, LeaveOutEachLabelOfALinearFrontAsIfItWereNotThere) {
  Threads threads(1);
  for (const LabelKind kind : {LabelKind::values, LabelKind::many}) {
    for (std::int64_t columns : {3, 60}) {  // by features, by labels
      const Dataset data = random_targets(7, 40, columns, kind);
      TargetSession session(fit_one(data, "linear-front").model, threads);
      const TargetModel& model = session.model();
      for (std::size_t i = 0; i < model.left_out.size(); ++i) {
        const TargetAnswer without_it = session.answer_with(without_place(data.targets, i));
        for (std::size_t c = 0; c < 2; ++c)
          EXPECT_NEAR(model.left_out_said[2 * i + c], without_it.row(model.left_out[i])[c],
                      2 * kTargetClose * model.units.scale[c]);
      }
    }
  }
}

TEST(TargetModels, LeaveOutFoldsOfAFlowAsIfTheyWereNotThere) {
  Threads threads(1);
  const Dataset data = random_targets(8, 60, 3, LabelKind::values);
  for (const char* name : {"flow-alone", "linear-front+flow"}) {
    TargetSession session(fit_one(data, name).model, threads);
    const TargetModel& model = session.model();
    for (std::size_t fold = 0; fold < kTargetFolds; ++fold) {
      std::vector<bool> left_out(data.targets.size());
      for (std::size_t i = fold; i < left_out.size(); i += kTargetFolds) left_out[i] = true;
      const TargetAnswer others = session.answer_with(without(data.targets, left_out));
      for (std::size_t i = fold; i < left_out.size(); i += kTargetFolds)
        for (std::size_t c = 0; c < 2; ++c)
          EXPECT_NEAR(model.left_out_said[2 * i + c], others.row(data.targets.nodes[i])[c],
                      2 * kTargetClose * model.units.scale[c]);
    }
  }
}

TEST(TargetModels, HeatAtRestIsTheMeanOfTheNeighbours) {
  Threads threads(1);
  const Dataset data = random_targets(9, 40, 2, LabelKind::values);
  TargetFlowTask task;
  task.dataset = data;
  task.known = data.targets;
  task.options = {.time = FlowOptions::kForever,
                  .solve = {.tolerance = test::kDouble ? 1e-13 : 1e-6},
                  .laplacian = {.kind = LaplacianKind::random_walk}};
  const TargetAnswer answer = solve_targets(task, threads).answer;
  const TargetUnits units = units_of(data.targets);
  for (NodeId u = 0; u < data.nodes(); ++u) {
    if (answer.status[at(u)] != TargetStatus::estimated) continue;
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = 0, total = 0;
      const auto neighbours = data.graph.neighbours(u);
      for (std::size_t k = 0; k < neighbours.size(); ++k) {
        const double w =
            data.weights.empty() ? 1 : static_cast<double>(data.weights[at(data.graph.begin_of(u)) + k]);
        sum += w * answer.row(neighbours[k])[c];
        total += w;
      }
      EXPECT_NEAR(answer.row(u)[c], sum / total, 20 * kTargetClose * units.scale[c]) << u;
    }
  }
}

TEST(TargetModels, NodesThatNoLabelReachesGetTheMean) {
  Threads threads(1);
  Dataset data{.name = "pair", .graph = Graph::without_edges(1)};
  ArcList arcs{.nodes = 5, .from = {0, 1, 1, 2, 3, 4}, .to = {1, 0, 2, 1, 4, 3}};
  data.graph = build_graph(std::move(arcs), threads).graph;
  data.labels.assign(5, kUnknown);
  data.targets = {.kind = LabelKind::values, .names = {"y"}, .nodes = {0, 2}, .values = {2, 6}};
  TargetFlowTask task;
  task.dataset = data;
  task.known = data.targets;
  task.options = {.time = FlowOptions::kForever, .laplacian = {.kind = LaplacianKind::random_walk}};
  const TargetAnswer answer = solve_targets(task, threads).answer;
  EXPECT_NEAR(answer.row(1)[0], 4, 1e-5);
  EXPECT_EQ(answer.status[3], TargetStatus::unreached);
  EXPECT_EQ(answer.row(3)[0], 4);
  EXPECT_EQ(answer.count(TargetStatus::known), 2);
}

TEST(TargetModels, AreTheSameForAnyNumberOfThreads) {
  const Dataset data = random_targets(10, 80, 5, LabelKind::values);
  std::vector<std::vector<double>> said;
  for (int count : {1, 3}) {
    Threads threads(count);
    said.push_back(fit_targets(data, {}, threads).model.left_out_said);
  }
  EXPECT_EQ(said[0], said[1]);
}

TEST(TargetModels, SayWhichOnesThereAre) {
  EXPECT_EQ(test::error_text([] { find_target_model("gcn"); }),
            "gcn learns classes only; for values and many labels choose from: linear-front, flow-alone, "
            "linear-front+flow");
}

// A ring of nodes, two features, and values that follow them with noise: nodes with labels are drawn like those without.
TEST(TargetIntervals, ContainTheValueAsOftenAsTheySay) {
  Threads threads(1);
  constexpr NodeId kNodes = 40;
  ArcList arcs{.nodes = kNodes};
  for (NodeId u = 0; u < kNodes; ++u) {
    arcs.from.insert(arcs.from.end(), {u, (u + 1) % kNodes});
    arcs.to.insert(arcs.to.end(), {(u + 1) % kNodes, u});
  }
  const Graph graph = build_graph(std::move(arcs), threads).graph;
  std::int64_t within = 0, all = 0;
  for (std::uint64_t draw = 0; draw < 1000; ++draw) {
    const Random random(draw);
    Dataset data{.name = "ring", .graph = graph};
    Matrix features(kNodes, 2);
    Targets truth{.kind = LabelKind::values, .names = {"y"}, .nodes = {}, .values = {}};
    for (NodeId u = 0; u < kNodes; ++u) {
      for (std::int64_t k = 0; k < 2; ++k)
        features(u, k) = static_cast<Real>(random.part(1).normal(at(2 * u + k)));
      truth.nodes.push_back(u);
      truth.values.push_back(5 + 2 * static_cast<double>(features(u, 0)) + random.part(2).normal(at(u)));
    }
    data.features = Features(features);
    data.labels.assign(kNodes, kUnknown);
    data.targets = {.kind = LabelKind::values, .names = {"y"}, .nodes = {}, .values = {}};
    for (NodeId u = 0; u < kNodes; ++u)
      if (random.part(3).uniform(at(u)) < 0.75) data.targets.set(u, truth.row(at(u)));
    data.split = all_targets(data);
    const TargetFit fit = fit_targets(
        data,
        {.model = "linear-front", .settings = {"time=0,1", "self_loop=1", "ridge=0.03,0.3,3", "average=2"}},
        threads);
    TargetSession session(fit.model, threads);
    const TargetAnswer answer = session.answer();
    const double radius = intervals_of(fit.model, answer, 0.8).radius[0];
    for (NodeId u = 0; u < kNodes; ++u) {
      if (answer.status[at(u)] == TargetStatus::known) continue;
      within += std::abs(answer.row(u)[0] - truth.row(at(u))[0]) <= radius;
      ++all;
    }
  }
  const double share = static_cast<double>(within) / static_cast<double>(all);
  EXPECT_GT(all, 9000);
  EXPECT_GT(share, 0.79);
  EXPECT_LT(share, 0.84);
}

TEST(TargetIntervals, OfTooFewLabelsPromiseNothing) {
  Threads threads(1);
  Dataset data = random_targets(12, 30, 2, LabelKind::values);
  data.targets = targets_at(data.targets, std::span(data.targets.nodes).first(5));
  data.split = all_targets(data);
  TargetSession session(fit_one(data, "linear-front").model, threads);
  EXPECT_TRUE(std::isinf(intervals_of(session.model(), session.answer(), 0.9).radius[0]));
  EXPECT_TRUE(std::isfinite(intervals_of(session.model(), session.answer(), 0.7).radius[0]));
}

}  // namespace
}  // namespace heatfront
