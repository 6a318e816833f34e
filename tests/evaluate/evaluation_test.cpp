// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "heatfront/graph/build.h"
#include "heatfront/label/session.h"
#include "heatfront/models/models.h"
#include "heatfront/train/fit.h"
#include "support/error_text.h"
#include "support/small_data.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

Evaluation evaluate_model(const TrainedModel& model, const EvaluationOptions& options = {}) {
  Threads threads(1);
  Session session(model, threads);
  return evaluate(session.model(), session.solve(), options);
}

// A path 0 … 6 and 7 alone; 0 trains, 1 and 2 validate, the others test. The answer is the front itself.
TrainedModel path_model() {
  Threads threads(1);
  Dataset path{.name = "path", .labels = {0, 0, 1, 0, 1, 0, 1, 1}, .class_names = {"a", "b"}};
  path.graph = build_graph({.nodes = 8, .from = {0, 1, 2, 3, 4, 5}, .to = {1, 2, 3, 4, 5, 6}}, threads).graph;
  path.split = Split{.name = "mine", .train = {0}, .validation = {1, 2}, .test = {3, 4, 5, 6, 7}};
  Matrix front(8, 2);
  const std::vector<double> shares = {0.9, 0.7, 0.4, 0.8, 0.3, 0.2, 0.6, 0.1};  // of class a
  for (std::int64_t u = 0; u < 8; ++u)
    front(u, 0) = static_cast<Real>(std::log(shares[at(u)] / (1 - shares[at(u)])));
  TrainedModel model = test::model_on(std::move(path), std::move(front));
  model.model = "gcn";
  return model;
}

TEST(Evaluation, IsAsComputedByHand) {
  // Right: 3 (a, 0.8), 4 (b, 0.7), 7 (b, 0.9); wrong: 5 (given b, 0.8) and 6 (given a, 0.6).
  const Evaluation result = evaluate_model(path_model(), {.coverage = 0.6});
  EXPECT_EQ(result.nodes, (std::vector<NodeId>{3, 4, 5, 6, 7}));
  EXPECT_DOUBLE_EQ(result.accuracy, 0.6);
  EXPECT_DOUBLE_EQ(result.macro_f1, (2.0 * 1 / (2 + 2) + 2.0 * 2 / (3 + 3)) / 2);
  EXPECT_NEAR(result.as_given.confidence, (0.8 + 0.7 + 0.8 + 0.6 + 0.9) / 5, 1e-6);
  EXPECT_NEAR(result.as_given.brier, 2 * (0.04 + 0.09 + 0.64 + 0.36 + 0.01) / 5, 1e-6);
  // Scores of 1 and 2: 0.3 and 0.4, of which ⌈3 · 0.6⌉ = 2 is the second: no share below 0.6 is in a set.
  EXPECT_NEAR(result.sets.threshold, 0.4, 1e-6);
  EXPECT_DOUBLE_EQ(result.coverage, 0.6);
  EXPECT_DOUBLE_EQ(result.set_size, 1);
  EXPECT_EQ(result.set_sizes, (std::vector<std::int64_t>{0, 5, 0}));
}

TEST(Evaluation, GroupsNodesByDegreeAndDistance) {
  const Evaluation result = evaluate_model(path_model());
  ASSERT_EQ(result.by_degree.size(), 3u);
  EXPECT_EQ(result.by_degree[0].name, "0");
  EXPECT_EQ(result.by_degree[0].nodes, 1);
  EXPECT_EQ(result.by_degree[0].accuracy, 1);
  EXPECT_EQ(result.by_degree[1].name, "1");
  EXPECT_EQ(result.by_degree[1].accuracy, 0);
  EXPECT_EQ(result.by_degree[2].name, "2–3");
  EXPECT_EQ(result.by_degree[2].nodes, 3);
  EXPECT_NEAR(result.by_degree[2].confidence, (0.8 + 0.7 + 0.8) / 3, 1e-6);
  ASSERT_EQ(result.by_distance.size(), 3u);
  EXPECT_EQ(result.by_distance[0].name, "3");
  EXPECT_EQ(result.by_distance[1].name, "4 or more");
  EXPECT_EQ(result.by_distance[1].nodes, 3);
  EXPECT_EQ(result.by_distance[2].name, "no path");
}

TEST(Evaluation, PromisesAllClassesWhereValidationIsTooSmall) {
  const Evaluation result = evaluate_model(path_model());
  EXPECT_EQ(result.sets.calibrated_on, 2);
  EXPECT_EQ(result.coverage, 1);
  EXPECT_EQ(result.set_size, 2);
}

TEST(Evaluation, NeverLooksAtTestLabelsToCalibrate) {
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=60", "per-class 5,20", threads);
  TrainedModel model = fit(data, {.settings = {"epochs=10"}}, threads).model;
  const Evaluation before = evaluate_model(model);
  for (NodeId u : model.split().test) model.data.labels[at(u)] = 0;
  const Evaluation after = evaluate_model(model);
  EXPECT_EQ(after.softening, before.softening);
  EXPECT_EQ(after.sets.threshold, before.sets.threshold);
  EXPECT_EQ(after.set_size, before.set_size);
  EXPECT_NE(after.accuracy, before.accuracy);
}

TEST(Evaluation, LeavesNodesWhoseLabelIsHeldAlone) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const Split split = session.model().split();
  session.include_validation();
  session.set(split.test[0], session.model().data.labels[at(split.test[0])]);
  const Evaluation result = evaluate_model(session.model());
  EXPECT_EQ(result.validation_held, 10);
  EXPECT_EQ(result.test_held, 1);
  EXPECT_EQ(result.nodes.size(), split.test.size() - 1);
  EXPECT_EQ(result.sets.calibrated_on, 0);
  EXPECT_TRUE(std::isnan(result.softening));
  EXPECT_TRUE(std::isnan(result.coverage));
  EXPECT_TRUE(std::isnan(result.by_degree[0].set_size));
  EXPECT_EQ(result.scaled.ece, result.as_given.ece);
}

TEST(Evaluation, SaysWhatIsMissingToJudgeBy) {
  Threads threads(1);
  TrainedModel model = test::karate_model();
  Session session(model, threads);
  for (NodeId u : model.split().test) session.set(u, model.data.labels[at(u)]);
  EXPECT_TRUE(test::error_text([&] {
                evaluate_model(session.model());
              }).starts_with("karate: all 20 test labels are held fixed, so none is left to judge by; "));
  model.data.split->test.clear();
  EXPECT_TRUE(test::error_text([&] {
                evaluate_model(model);
              }).starts_with("karate: its split 'per-class 2,5 seed 0' has no test nodes to judge by; "));
}

TEST(Evaluation, KeepsThePriorWhereNothingReaches) {
  Threads threads(1);
  TrainedModel model = path_model();
  model.model = "label-propagation";
  model.front = Matrix(8, 2);
  Session session(model, threads);
  const Answer answer = session.solve();
  const Evaluation result = evaluate(session.model(), answer, {});
  EXPECT_EQ(calibrated_shares(result, answer, 7), (std::vector<double>{1, 0}));  // class a alone is known
  ASSERT_EQ(result.by_status.size(), 2u);
  EXPECT_EQ(result.by_status[1].name, "unreached");
  EXPECT_EQ(result.by_status[1].accuracy, 0);
}

TEST(Evaluation, JudgesEveryModel) {
  Threads threads(1);
  Dataset data = test::small_blocks(threads);
  data.features = Features(test::random_front(data.nodes(), 4, 1));
  for (const ModelEntry& entry : models()) {
    const Fit result = fit(data, {.model = std::string(entry.name), .settings = {"epochs=1"}}, threads);
    const Evaluation evaluation = evaluate_model(result.model);
    EXPECT_EQ(evaluation.warmest_accuracy, result.training.best.test_accuracy) << entry.name;
    EXPECT_TRUE(std::isfinite(evaluation.as_given.brier)) << entry.name;
    EXPECT_EQ(std::accumulate(evaluation.set_sizes.begin(), evaluation.set_sizes.end(), std::int64_t{0}),
              std::ssize(evaluation.nodes))
        << entry.name;
  }
}

}  // namespace
}  // namespace heatfront
