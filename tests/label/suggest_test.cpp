// SPDX-License-Identifier: MIT
#include "heatfront/label/suggest.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_model.h"

namespace heatfront {
namespace {

TrainedModel grid_model(double time) {
  Dataset grid{.name = "grid", .graph = grid_graph(5, 8)};
  grid.class_names = {"a", "b", "c"};
  for (NodeId u = 0; u < 40; ++u) grid.labels.push_back(u % 3);
  grid.split = Split{.name = "some", .train = {0, 7, 35}};
  return test::model_on(std::move(grid), test::random_front(40, 3, 5),
                        {"time = " + std::to_string(time), "laplacian = random-walk"});
}

// By labelling each node as each class and counting.
double expected_change(const TrainedModel& model, const Answer& now, NodeId u, Threads& threads) {
  double expected = 0;
  for (ClassId c = 0; c < model.data.classes(); ++c) {
    Session session(model, threads);
    session.set(u, c);
    expected += class_shares(now, u)[static_cast<std::size_t>(c)] *
                static_cast<double>(changed(now, session.solve()).size());
  }
  return expected;
}

TEST(Suggest, ExpectsTheChangeThatALabelReallyMakesWhenHeatIsAtRest) {
  Threads threads(1);
  const TrainedModel model = grid_model(3000);
  Session session(model, threads);
  const Answer answer = session.solve();
  const std::vector<Suggestion> suggestions = suggest(session, answer, {.count = 4});
  ASSERT_FALSE(suggestions.empty());
  for (const Suggestion& node : suggestions)
    EXPECT_NEAR(node.expected_change, expected_change(model, answer, node.node, threads), 1e-3) << node.node;
}

TEST(Suggest, ComesCloseAtTheTimeOfTheModel) {
  Threads threads(1);
  const TrainedModel model = test::karate_model();
  Session session(model, threads);
  const Answer answer = session.solve();
  for (const Suggestion& node : suggest(session, answer, {.count = 3}))
    EXPECT_NEAR(node.expected_change, expected_change(model, answer, node.node, threads), 3) << node.node;
}

TEST(Suggest, RanksByTheExpectedChangeOrByTheMargin) {
  Threads threads(1);
  Session session(grid_model(5), threads);
  const Answer answer = session.solve();
  const auto by_change = suggest(session, answer, {.count = 4}),
             by_margin = suggest(session, answer, {.count = 4, .by = SuggestBy::margin});
  EXPECT_TRUE(std::ranges::is_sorted(by_change, std::greater(), &Suggestion::expected_change));
  EXPECT_TRUE(std::ranges::is_sorted(by_margin, {}, &Suggestion::margin));
  for (const Suggestion& node : by_change) EXPECT_EQ(session.known_class(node.node), kUnknown);
  EXPECT_TRUE(std::isnan(by_margin[0].expected_change));
}

bool are_close(const Suggestion& a, const Suggestion& b) {
  return std::abs(a.node / 8 - b.node / 8) + std::abs(a.node % 8 - b.node % 8) <= 2;
}

TEST(Suggest, NamesTwoNodesOfOneNeighbourhoodOnlyWhereThereAreNoOthers) {
  Threads threads(1);
  Session session(grid_model(5), threads);
  const std::vector<Suggestion> nodes = suggest(session, session.solve(), {.count = 40});
  ASSERT_EQ(nodes.size(), 37u);  // all that have no label
  std::size_t apart = 0;
  while (apart < nodes.size() &&
         std::ranges::none_of(std::span(nodes).first(apart),
                              [&](const Suggestion& other) { return are_close(nodes[apart], other); }))
    ++apart;
  EXPECT_GT(apart, 4u);
  for (const Suggestion& node : std::span(nodes).subspan(apart))
    EXPECT_TRUE(std::ranges::any_of(std::span(nodes).first(apart), [&](const Suggestion& other) {
      return are_close(node, other);
    })) << node.node;
}

TEST(Suggest, NamesNobodyWhereEveryLabelIsKnown) {
  Threads threads(1);
  Session session(grid_model(5), threads);
  for (NodeId u = 0; u < 40; ++u) session.set(u, 0);
  EXPECT_TRUE(suggest(session, session.solve(), {}).empty());
}

TEST(Suggest, BeginsWithNodesOfManyEdgesWhereNoLabelIsKnown) {
  Threads threads(1);
  TrainedModel model = test::karate_model();
  model.known = {};
  model.front = Matrix(model.front.rows(), model.front.cols());
  Session session(model, threads);
  const std::vector<Suggestion> nodes = suggest(session, session.solve(), {.count = 1});
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_GT(session.model().data.graph.degree(nodes[0].node), 15);
}

TEST(Suggest, IsTheSameForAnyNumberOfThreads) {
  std::vector<std::vector<NodeId>> lists;
  for (int count : {1, 3}) {
    Threads threads(count);
    Session session(grid_model(5), threads);
    lists.emplace_back();
    for (const Suggestion& node : suggest(session, session.solve(), {})) lists.back().push_back(node.node);
  }
  EXPECT_EQ(lists[0], lists[1]);
}

}  // namespace
}  // namespace heatfront
