// SPDX-License-Identifier: MIT
#include "heatfront/label/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "heatfront/data/dataset.h"
#include "support/error_text.h"
#include "support/reference.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

using test::dense_of;
using test::karate_model;

bool same(const KnownLabels& a, const KnownLabels& b) { return a.nodes == b.nodes && a.classes == b.classes; }

// A node whose label is not held.
NodeId free_node(const Session& session) {
  NodeId u = 0;
  while (session.known_class(u) != kUnknown) ++u;
  return u;
}

TEST(Session, SolvesTheClampedFlowOfItsModel) {
  Threads threads(1);
  const TrainedModel model = karate_model();
  const Answer answer = Session(model, threads).solve();
  const DirichletProblem problem{.graph = model.data.graph,
                                 .weights = model.weights,
                                 .classes = 2,
                                 .known = model.known,
                                 .front = model.front};
  const Temperatures expected =
      solve_dirichlet(problem, {.time = 5, .solver = "chebyshev", .solve = {.tolerance = 1e-7}}, threads);
  EXPECT_EQ(dense_of(answer.temperatures.values).values, dense_of(expected.values).values);
  EXPECT_EQ(answer.decisions.count(NodeStatus::known), 4);
}

TEST(Session, AnswersAsIfTheLabelsHadAlwaysBeenSo) {
  Threads threads(1);
  Session changing(karate_model(), threads);
  const NodeId u = free_node(changing), v = changing.model().known.nodes[1];
  changing.set(u, 1);
  changing.set(u, 0);
  changing.unset(v);
  TrainedModel model = karate_model();
  std::erase(model.known.nodes, v);
  model.known.nodes.push_back(u);
  model.known.classes.clear();
  for (NodeId w : model.known.nodes) model.known.classes.push_back(w == u ? 0 : changing.known_class(w));
  EXPECT_EQ(dense_of(changing.solve().temperatures.values).values,
            dense_of(Session(model, threads).solve().temperatures.values).values);
}

TEST(Session, LogsWhatChangesAndOnlyThat) {
  Threads threads(1);
  Session session(karate_model(), threads);
  const NodeId known = session.model().known.nodes[0], u = free_node(session);
  const ClassId label = session.known_class(known);
  EXPECT_FALSE(session.set(known, label));
  EXPECT_FALSE(session.unset(u));
  EXPECT_TRUE(session.set(known, 1 - label));
  session.begin_batch();
  EXPECT_TRUE(session.set(u, 1));
  EXPECT_TRUE(session.unset(known));
  session.close_batch();
  const std::vector<LabelChange>& log = session.model().log;
  ASSERT_EQ(log.size(), 3u);
  EXPECT_EQ(log[0].before, label);
  EXPECT_EQ(log[0].after, 1 - label);
  EXPECT_NE(log[0].batch, log[1].batch);
  EXPECT_EQ(log[1].batch, log[2].batch);
  EXPECT_EQ(log[1].before, kUnknown);
  EXPECT_EQ(log[2].after, kUnknown);
}

TEST(Session, UndoesBatchAfterBatchUntilNothingIsLeft) {
  Threads threads(1);
  Session session(karate_model(), threads);
  const KnownLabels start = session.model().known;
  const NodeId u = free_node(session);
  session.set(u, 1);
  const KnownLabels then = session.model().known;
  session.begin_batch();
  session.set(u, session.add_class("third"));
  session.unset(start.nodes[2]);
  session.include_validation();
  session.close_batch();
  EXPECT_GE(session.undo(), 10);
  EXPECT_TRUE(same(session.model().known, then));
  EXPECT_EQ(session.model().data.classes(), 2);
  EXPECT_EQ(session.undo(), 1);
  EXPECT_TRUE(same(session.model().known, start));
  EXPECT_TRUE(session.model().log.empty());
  EXPECT_NE(test::error_text([&] { session.undo(); }).find("nothing to undo"), std::string::npos);
}

TEST(Session, GivesEveryKnownLabelTheScaleAskedForAndKeepsItInTheModel) {
  Threads threads(1);
  Session session(karate_model(), threads);
  session.set_label_scale(2.5);
  const Answer answer = session.solve();
  const NodeId known = session.model().known.nodes.front();
  EXPECT_EQ(answer.temperatures.values(known, session.known_class(known)), Real(2.5));
  const Answer again = Session(session.model(), threads).solve();
  EXPECT_EQ(dense_of(again.temperatures.values).values, dense_of(answer.temperatures.values).values);
}

TEST(Session, IncludesTheValidationLabelsThatAreNotHeldYet) {
  Threads threads(1);
  Session session(karate_model(), threads);
  const NodeId corrected = session.model().split().validation[0];
  const ClassId other = 1 - session.model().data.labels[static_cast<std::size_t>(corrected)];
  session.set(corrected, other);
  EXPECT_EQ(session.include_validation(), 9);
  EXPECT_EQ(session.known_class(corrected), other);
  EXPECT_EQ(session.include_validation(), 0);
}

TEST(Session, NeverJudgesByNodesThatAreKnown) {
  Threads threads(1);
  Session session(karate_model(), threads);
  const Split& split = session.model().split();
  const Judged before = judged_by(split, session.model().known.nodes);
  EXPECT_FALSE(before.validation_included || before.test_included);
  session.include_validation();
  session.set(split.test[3], 0);
  const Judged after = judged_by(split, session.model().known.nodes);
  EXPECT_TRUE(after.validation_included && after.test_included);
  EXPECT_TRUE(after.split.validation.empty());
  EXPECT_EQ(after.split.test.size(), split.test.size() - 1);
  EXPECT_EQ(std::ranges::count(after.split.test, split.test[3]), 0);
}

TEST(Session, GivesANewClassNothingWithoutItsOwnLabels) {
  Threads threads(1);
  for (const char* kind : {"symmetric", "random-walk", "combinatorial"}) {
    TrainedModel model = karate_model();
    model.front = test::random_front(34, 2, 7);
    model.options.push_back(std::string("laplacian = ") + kind);
    Session session(model, threads);
    const Answer before = session.solve();
    const ClassId fresh = session.add_class("newcomer");
    const Answer named = session.solve();
    EXPECT_TRUE(changed(before, named).empty()) << kind;
    session.set(16, fresh);  // at the edge of the club, beside 5 and 6
    const Answer after = session.solve();
    EXPECT_EQ(after.decisions.classes[16], fresh);
    for (NodeId v : {5, 6})
      EXPECT_GT(after.temperatures.values(v, fresh), named.temperatures.values(v, fresh));
  }
}

TEST(Session, LetsANewClassWinWhereItsLabelsAre) {
  Threads threads(1);
  Dataset path{
      .name = "path", .graph = path_graph(6), .labels = {0, kUnknown, kUnknown, kUnknown, kUnknown, 1}};
  path.class_names = {"left", "right"};
  path.split = Split{.name = "ends", .train = {0, 5}};
  Session session(test::model_on(path, Matrix(6, 2), {"time = 20"}), threads);
  session.set(3, session.add_class("middle"));
  const Answer answer = session.solve();
  // Node 4 lies between both; the end, of smaller degree, is the warmer in the symmetric Laplacian.
  EXPECT_EQ(answer.decisions.classes, (std::vector<ClassId>{0, 0, 2, 2, 1, 1}));
}

TEST(Session, TellsWhichNodesChangedAndByHowMuch) {
  Threads threads(1);
  Session session(karate_model(), threads);
  const Answer before = session.solve();
  const NodeId u = free_node(session);
  const ClassId other = 1 - before.decisions.classes[static_cast<std::size_t>(u)];
  session.set(u, other);
  const Answer after = session.solve();
  const std::vector<ChangedNode> list = changed(before, after);
  const auto own = std::ranges::find(list, u, &ChangedNode::node);
  ASSERT_NE(own, list.end());
  EXPECT_TRUE(own->told);
  EXPECT_EQ(own->after, other);
  EXPECT_EQ(own->margin_after, 1);
  EXPECT_TRUE(std::ranges::is_sorted(list, std::greater(), &ChangedNode::moved));
  std::size_t differing = 0;
  for (std::size_t v = 0; v < 34; ++v) differing += before.decisions.classes[v] != after.decisions.classes[v];
  EXPECT_EQ(list.size(), differing);
  EXPECT_TRUE(changed(after, after).empty());
}

TEST(Session, RefusesNodesAndClassesThatAreNotThere) {
  Threads threads(1);
  Session session(karate_model(), threads);
  EXPECT_NE(test::error_text([&] { session.set(34, 0); }).find("nodes are 0 to 33"), std::string::npos);
  EXPECT_NE(test::error_text([&] { session.unset(-1); }).find("nodes are 0 to 33"), std::string::npos);
  EXPECT_NE(test::error_text([&] { session.set(0, 2); }).find("classes are 0 to 1"), std::string::npos);
  EXPECT_NE(test::error_text([&] { session.add_class("Officer"); }).find("already"), std::string::npos);
  TrainedModel twice = karate_model();
  twice.known.nodes[1] = twice.known.nodes[0];
  EXPECT_NE(test::error_text([&] { Session wrong(twice, threads); }).find("known twice"), std::string::npos);
}

TEST(Names, MayBeNumbersWhereNoNameIsOne) {
  Dataset data{.name = "trio", .graph = path_graph(3), .labels = {0, 1, kUnknown}};
  data.class_names = {"red", "blue"};
  EXPECT_EQ(find_node(data, "2"), 2);
  EXPECT_EQ(find_class(data, "1"), 1);
  EXPECT_EQ(find_class(data, "red"), 0);
  data.node_names = {"a", "d", "b=c"};
  EXPECT_EQ(find_node(data, "d"), 1);
  EXPECT_EQ(find_node(data, "b=c"), 2);
  EXPECT_EQ(find_node(data, "2"), 2);
  EXPECT_EQ(test::error_text([&] { find_class(data, "rde"); }),
            "trio: there is no class 'rde' (did you mean 'red'?); the classes are red, blue");
  EXPECT_EQ(test::error_text([&] { find_node(data, "3"); }),
            "trio: there is no node '3'; nodes are 0 to 2, or names like 'a'");
}

TEST(Names, AreNeverTakenForNumbersWhereTheyAreNumbersThemselves) {
  const Dataset data{.name = "d",
                     .graph = Graph::without_edges(2),
                     .class_names = {"10", "2", "30"},
                     .node_names = {"17", "0x"}};
  EXPECT_EQ(find_node(data, "17"), 0);
  EXPECT_EQ(find_class(data, "2"), 1);
  EXPECT_EQ(test::error_text([&] { find_node(data, "1"); }),
            "d: there is no node '1'; nodes have names like '17'");
  EXPECT_EQ(test::error_text([&] { find_class(data, "1"); }),
            "d: there is no class '1'; the classes are 10, 2, 30");
}

TEST(Session, GoesOnWhereItWasWhenItIsMoved) {
  Threads threads(1);
  Session session(karate_model(), threads);
  session.add_class("third");
  session.set(free_node(session), 2);
  const Answer before = session.solve();
  Session moved = std::move(session);
  EXPECT_EQ(dense_of(moved.solve().temperatures.values).values, dense_of(before.temperatures.values).values);
}

}  // namespace
}  // namespace heatfront
