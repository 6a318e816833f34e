// SPDX-License-Identifier: MIT
#include "heatfront/models/grow.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heatfront/label/session.h"
#include "heatfront/train/fit.h"
#include "heatfront_io/formats/model_file.h"
#include "support/error_text.h"
#include "support/featured_blocks.h"
#include "support/precision.h"
#include "support/reference.h"

namespace heatfront {
namespace {

constexpr double kAlike = 1e-4;

Fit fitted(const std::string& model, std::vector<std::string> settings, Threads& threads) {
  if (find_model(model).loss != kNoLoss) settings.push_back("epochs=3");
  return fit(test::featured_blocks(threads), {.model = model, .preset = {"none"}, .settings = settings},
             threads);
}

// New nodes with the features of these old ones; each edge joins a new node (by its place) to any node.
NewNodes copies(const Dataset& data, const std::vector<NodeId>& of, const std::vector<NodeId>& from,
                const std::vector<NodeId>& to) {
  NewNodes added{.nodes = static_cast<NodeId>(of.size()),
                 .edges = {.nodes = data.nodes() + static_cast<NodeId>(of.size()), .from = from, .to = to}};
  if (const Matrix* dense = data.features.dense()) {
    Matrix rows(added.nodes, dense->cols());
    for (std::size_t i = 0; i < of.size(); ++i)
      std::ranges::copy(dense->row(of[i]), rows.row(static_cast<std::int64_t>(i)).begin());
    added.features = Features(std::move(rows));
  }
  return added;
}

void expect_first_rows_alike(ConstMatrixView expected, ConstMatrixView found, const std::string& what) {
  ASSERT_EQ(expected.cols, found.cols) << what;
  for (std::int64_t u = 0; u < expected.rows; ++u)
    for (std::int64_t c = 0; c < expected.cols; ++c)
      EXPECT_NEAR(expected(u, c), found(u, c), kAlike) << what << " at " << u;
}

TEST(Grown, LeavesOldAnswersOfEveryModelAsTheyWereWhereNothingIsJoinedToThem) {
  Threads threads(1);
  for (const ModelEntry& entry : models()) {
    if (entry.name == "cgnn") continue;  // has a parameter of every node
    const TrainedModel model = fitted(std::string(entry.name), {}, threads).model;
    const TrainedModel more = grown(model, copies(model.data, {3, 8}, {30}, {31}), threads);
    EXPECT_EQ(more.data.nodes(), 32);
    EXPECT_EQ(more.data.added, 2);
    Session old_session(model, threads), session(more, threads);
    const Answer &before = old_session.solve(), &after = session.solve();
    if (entry.name ==
        "flow-alone") {  // class masses are of all nodes, so heat is of another size, but not its shares
      for (std::size_t u = 0; u < 30; ++u)
        EXPECT_NEAR(before.decisions.confidence[u], after.decisions.confidence[u], kAlike) << u;
      continue;
    }
    expect_first_rows_alike(before.temperatures.values, after.temperatures.values, std::string(entry.name));
  }
}

TEST(Grown, IsTheSameInOneStepAndInTwo) {
  Threads threads(1);
  for (const ModelEntry& entry : models()) {
    if (entry.name == "cgnn") continue;  // has a parameter of every node
    const TrainedModel model = fitted(std::string(entry.name), {}, threads).model;
    const TrainedModel once =
        grown(model, copies(model.data, {3, 17}, {30, 30, 31, 31}, {4, 5, 30, 18}), threads);
    const TrainedModel first = grown(model, copies(model.data, {3}, {30, 30}, {4, 5}), threads);
    const TrainedModel twice = grown(first, copies(model.data, {17}, {31, 31}, {30, 18}), threads);
    EXPECT_EQ(once.data.graph, twice.data.graph);
    EXPECT_EQ(once.data.added, twice.data.added);
    expect_first_rows_alike(Session(once, threads).solve().temperatures.values,
                            Session(twice, threads).solve().temperatures.values, std::string(entry.name));
  }
}

TEST(Grown, GivesACopyOfANodeTheFrontOfThatNode) {
  Threads threads(1);
  for (const char* view : {"standardised", "row-lengths", "l2", "tfidf", "row-sums"}) {
    const TrainedModel model = fitted("heat-front", {std::string("features=") + view}, threads).model;
    const TrainedModel more = grown(model, copies(model.data, {12}, {30, 30}, {0, 25}), threads);
    expect_first_rows_alike(model.front, more.front, view);
    for (std::int64_t c = 0; c < 3; ++c) EXPECT_NEAR(more.front(30, c), model.front(12, c), kAlike) << view;
  }
}

TEST(Grown, SeesWhoOfTheOldNodesANewOneIsJoinedToWhereThereAreNoFeatures) {
  Threads threads(1);
  Dataset data = test::featured_blocks(threads);
  data.features = {};
  data.feature_names.clear();
  const Fit trained = fit(data, {.preset = {"none"}, .settings = {"epochs=30", "hidden="}}, threads);
  const TrainedModel more = grown(trained.model, copies(data, {0, 0}, {30, 30, 30}, {1, 2, 31}), threads);
  expect_first_rows_alike(trained.model.front, more.front, "neighbourhood");
  const auto weight = std::ranges::find(more.network, "layer1.weight", &NamedMatrix::name);
  const auto bias = std::ranges::find(more.network, "layer1.bias", &NamedMatrix::name);
  ASSERT_NE(weight, more.network.end());
  for (std::int64_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(more.front(30, c), bias->values(0, c) + weight->values(1, c) + weight->values(2, c), kAlike);
    EXPECT_NEAR(more.front(31, c), bias->values(0, c), kAlike);
  }
}

TEST(Grown, WeighsNewEdgesByTheMeanOfWhatWasLearned) {
  Threads threads(1);
  const TrainedModel model = fitted("heat-front", {"learn_weights=true"}, threads).model;
  double mean = 0;
  for (Real w : model.weights) mean += static_cast<double>(w) / static_cast<double>(model.weights.size());
  const TrainedModel more = grown(model, copies(model.data, {5}, {30, 30}, {6, 7}), threads);
  const Graph& graph = more.data.graph;
  std::size_t old = 0;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    for (ArcId a = graph.begin_of(u); a < graph.begin_of(u + 1); ++a) {
      const bool is_new = u == 30 || graph.targets()[at(a)] == 30;
      EXPECT_NEAR(more.weights[at(a)], is_new ? mean : static_cast<double>(model.weights[old]), 1e-5);
      old += !is_new;
    }
  }
  EXPECT_EQ(old, model.weights.size());
}

TEST(Grown, KeepsWhatItHadAndReadsBackFromItsFile) {
  if (test::kDouble) GTEST_SKIP() << "SKIPPED: files hold single precision";
  Threads threads(1);
  for (const char* name : {"linear-front", "heat-front"}) {
    TrainedModel model = fitted(name, {}, threads).model;
    model.layout = Matrix(model.data.nodes(), 2);
    const TrainedModel more = grown(model, copies(model.data, {3}, {30, 30, 2}, {4, 5, 3}), threads);
    EXPECT_EQ(more.layout.rows(), 0);  // a new one is to be found
    EXPECT_EQ(more.known.nodes, model.known.nodes);
    EXPECT_EQ(more.split().hash(), model.split().hash());
    const TrainedModel back = read_model(model_bytes(more), threads);
    EXPECT_EQ(back.data.added, 1);
    EXPECT_EQ(test::dense_of(Session(back, threads).solve().temperatures.values).values,
              test::dense_of(Session(more, threads).solve().temperatures.values).values);
  }
}

TEST(Grown, RefusesAModelThatLearnedSomethingOfEveryNode) {
  Threads threads(1);
  const TrainedModel model = fitted("cgnn", {}, threads).model;
  EXPECT_NE(test::error_text([&] {
              grown(model, copies(model.data, {3}, {30}, {4}), threads);
            }).find("cannot take new ones"),
            std::string::npos);
}

TEST(Grown, ContinuesNumbersAndTakesNames) {
  Threads threads(1);
  const TrainedModel model = fitted("flow-alone", {}, threads).model;
  NewNodes added = copies(model.data, {3}, {30}, {4});
  EXPECT_EQ(grown(model, added, threads).data.node_name(30), "30");
  added.names = {"zoe"};
  const TrainedModel named = grown(model, added, threads);
  EXPECT_EQ(named.data.node_name(30), "zoe");
  EXPECT_EQ(named.data.node_name(29), "29");
  added.names = {"7"};
  EXPECT_NE(test::error_text([&] { grown(model, added, threads); }).find("a name of its own"),
            std::string::npos);
}

TEST(Grown, RefusesWhatDoesNotFitTheModel) {
  Threads threads(1);
  const TrainedModel model = fitted("heat-front", {}, threads).model;
  const auto refused = [&](NewNodes added) {
    return test::error_text([&] { grown(model, added, threads); });
  };
  NewNodes added = copies(model.data, {3}, {30}, {4});
  EXPECT_NE(refused({}).find("no new nodes"), std::string::npos);
  NewNodes wild = added;
  wild.edges.to = {31};
  EXPECT_NE(refused(wild).find("new edges"), std::string::npos);
  NewNodes bare = added;
  bare.features = {};
  EXPECT_NE(refused(bare).find("features"), std::string::npos);
  NewNodes narrow = added;
  narrow.features = Features(Matrix(1, 1));
  EXPECT_NE(refused(narrow).find("columns"), std::string::npos);
  TrainedModel old = model;
  old.data.features = {};
  EXPECT_NE(test::error_text([&] { grown(old, bare, threads); }).find("does not hold the features"),
            std::string::npos);
}

}  // namespace
}  // namespace heatfront
