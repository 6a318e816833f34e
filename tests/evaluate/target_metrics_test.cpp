// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/target_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/graph/generate.h"

namespace heatfront {
namespace {

Targets three_values() {
  return {.kind = LabelKind::values, .names = {"y"}, .nodes = {0, 1, 2}, .values = {1, 2, 6}};
}

TEST(TargetMetrics, OfValuesAreInTheirUnits) {
  const TargetScores scores = value_scores(three_values(), std::vector<double>{1, 4, 5}, {{0}, {2}});
  EXPECT_DOUBLE_EQ(scores.values[0].rmse, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(scores.values[0].mae, 1);
  EXPECT_DOUBLE_EQ(scores.values[0].r2, 1 - 5.0 / 14);  // mean 3: 4 + 1 + 9
  EXPECT_DOUBLE_EQ(scores.mean_square, 5.0 / 4 / 3);
}

TEST(TargetMetrics, OfNoNodesAreNothing) {
  const Targets none{.kind = LabelKind::values, .names = {"y"}, .nodes = {}, .values = {}};
  EXPECT_TRUE(std::isnan(value_scores(none, {}, {{0}, {1}}).values[0].rmse));
}

TEST(TargetMetrics, OfManyLabelsCountEveryClass) {
  const Targets truth{.kind = LabelKind::many,
                      .names = {"a", "b"},
                      .nodes = {0, 1, 2, 3},
                      .values = {1, 0, 1, 1, 0, 1, 0, 0}};
  // a is said of 0 and 2, b of 1: right once each.
  const std::vector<double> said = {0.9, 0.1, 0.2, 0.8, 0.6, 0.2, 0.1, 0};
  const TargetScores scores = class_scores(truth, said, std::vector<double>{0.5, 0.5}, {{0, 0}, {1, 1}});
  EXPECT_DOUBLE_EQ(scores.classes[0].f1, 0.5);
  EXPECT_DOUBLE_EQ(scores.classes[1].f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores.classes[1].precision, 1);
  EXPECT_DOUBLE_EQ(scores.classes[1].recall, 0.5);
  EXPECT_DOUBLE_EQ(scores.micro_f1, 4.0 / 7);
  EXPECT_DOUBLE_EQ(scores.macro_f1, (0.5 + 2.0 / 3) / 2);
}

TEST(TargetMetrics, ThresholdsAreThoseOfTheHighestF1) {
  const Targets truth{.kind = LabelKind::many,
                      .names = {"a", "b"},
                      .nodes = {0, 1, 2, 3},
                      .values = {1, 0, 1, 0, 0, 0, 0, 0}};
  const std::vector<double> said = {0.9, 0.3, 0.4, 0.3, 0.2, 0.3, 0.1, 0.3};
  const std::vector<double> thresholds = best_thresholds(truth, said);
  EXPECT_NEAR(thresholds[0], 0.3, 1e-12);  // between 0.4 and 0.2
  EXPECT_EQ(thresholds[1], 0.5);           // nobody has it
}

TEST(TargetMetrics, KnowWhatOneWouldSayWithoutAModel) {
  const Graph path = path_graph(4);
  const Targets known = three_values();
  const std::vector<NodeId> nodes = {1, 3};
  // Of node 1 without its own label: the mean of 1 and 6; and of node 3, which has none, that of all.
  EXPECT_EQ(always_the_mean(known, nodes), (std::vector<double>{3.5, 3}));
  EXPECT_EQ(neighbours_mean(path, {}, known, nodes), (std::vector<double>{3.5, 6}));
  const std::vector<Real> weights = {3, 3, 1, 1, 1, 1};  // arcs 0→1, 1→0, 1→2, 2→1, 2→3, 3→2
  EXPECT_EQ(neighbours_mean(path, weights, known, std::vector<NodeId>{1}),
            (std::vector<double>{(3 * 1 + 6) / 4.0}));
}

}  // namespace
}  // namespace heatfront
