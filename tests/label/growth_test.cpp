// SPDX-License-Identifier: MIT
#include "heatfront/label/growth.h"

#include <gtest/gtest.h>

#include "heatfront/train/fit.h"
#include "heatfront/train/target_fit.h"
#include "support/featured_blocks.h"

namespace heatfront {
namespace {

TEST(Growth, SaysWhichOldNodesMovedAndHoldsTheNewLabels) {
  Threads threads(1);
  Session session(fit(test::featured_blocks(threads), {.model = "flow-alone"}, threads).model, threads);
  const Answer before = session.solve();
  NodeId u = 0;  // a node without a label, whom all new ones know
  while (session.known_class(u) != kUnknown) ++u;
  const ClassId other = (before.decisions.classes[at(u)] + 1) % 3;
  NewNodes added{.nodes = 40};
  KnownLabels labels;
  for (NodeId v = 30; v < 70; ++v) {
    added.edges.from.push_back(v);
    added.edges.to.push_back(u);
    labels.nodes.push_back(v);
    labels.classes.push_back(other);
  }
  added.edges.nodes = 70;
  Matrix rows(40, session.model().data.features.cols());
  added.features = Features(std::move(rows));
  const GrownSession result = grow(session, added, labels, 77);
  EXPECT_EQ(result.growth.old_nodes, 30);
  EXPECT_EQ(result.growth.new_nodes, 40);
  EXPECT_EQ(result.growth.new_edges, 40);
  EXPECT_EQ(std::ranges::count(result.growth.moved, u, &ChangedNode::node), 1);
  for (const ChangedNode& moved : result.growth.moved) {
    EXPECT_LT(moved.node, 30);
    EXPECT_EQ(moved.before, before.decisions.classes[at(moved.node)]);
    EXPECT_EQ(moved.after, result.answer.decisions.classes[at(moved.node)]);
  }
  EXPECT_EQ(result.session->known_class(69), other);
  EXPECT_EQ(result.session->model().log.back().time, 77);
  EXPECT_EQ(result.session->undo(), 40);
}

// Values are grown by an exact fit on the grown graph, so what comes out is what a fit with the new nodes there would say.
TEST(Growth, OfValuesIsTheFitOnTheGrownGraph) {
  Threads threads(1);
  Dataset data = test::featured_blocks(threads);
  data.targets = {.kind = LabelKind::values, .names = {"depth"}, .nodes = {}, .values = {}};
  for (NodeId u = 0; u < 30; u += 2) {
    data.targets.nodes.push_back(u);
    data.targets.values.push_back(100 + static_cast<double>(data.labels[at(u)]) + 0.01 * u);
  }
  data.labels.assign(30, kUnknown);
  data.class_names.clear();
  data.split = all_targets(data);
  for (const char* model : {"linear-front", "flow-alone", "linear-front+flow"}) {
    TargetSession session(fit_targets(data, {.model = model}, threads).model, threads);
    NewNodes added{.nodes = 2, .edges = {.nodes = 32, .from = {30, 31}, .to = {5, 30}}};
    added.features = Features(Matrix(2, data.features.cols()));
    const Targets told{.kind = LabelKind::values, .names = {"depth"}, .nodes = {31}, .values = {250}};
    const GrownTargets result = grow(session, added, told, 77);
    EXPECT_EQ(result.old_nodes, 30);
    EXPECT_EQ(result.new_edges, 2);
    EXPECT_EQ(result.session->model().log.back().time, 77);
    EXPECT_EQ(result.answer.values[31], 250) << model;
    EXPECT_FALSE(result.moved.empty()) << model;
    for (const MovedTarget& moved : result.moved) EXPECT_LT(moved.node, 30);

    const TargetModel& grown_model = result.session->model();
    TargetSession again(grown_model, threads);  // what its own predictor says of the labels held
    EXPECT_EQ(again.answer().values, result.answer.values) << model;
    EXPECT_EQ(result.session->undo(), 1);
    const TargetAnswer untold = result.session->answer();
    // The front that was kept answers here, and a fit of its own says why: they agree.
    EXPECT_LT(explain_target(*result.session, untold, 30, 0).residual, 1e-3) << model;
  }
}

}  // namespace
}  // namespace heatfront
