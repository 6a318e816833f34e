// SPDX-License-Identifier: MIT
#include "heatfront/label/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heatfront_io/arrays/npz.h"
#include "support/precision.h"
#include "support/public_data.h"
#include "support/reference.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

using test::kDouble;
constexpr double kAddsUp = kDouble ? 1e-10 : 1e-5;
constexpr ExplainOptions kAll{.labels = 10000, .fronts = 10000, .times = 3, .without = 0};

TrainedModel random_model(std::uint64_t seed, const std::string& laplacian) {
  test::RandomProblem random(seed, 40, 3);
  Dataset data{.name = "random", .graph = random.graph, .weights = random.weights};
  data.class_names = {"a", "b", "c"};
  for (NodeId u = 0; u < 40; ++u) data.labels.push_back(u % 3);
  data.split = Split{.name = "some", .train = random.known};
  return test::model_on(std::move(data), std::move(random.front),
                        {"laplacian = " + laplacian, "time = 3", "label_scale = 2", "self_loop = 0.5"});
}

// f(u) once more, from the list of shares.
std::vector<double> sum_of_shares(const Explanation& e, const Session& session) {
  std::vector<double> sum(e.temperatures.size());
  for (const LabelShare& share : e.labels) sum[static_cast<std::size_t>(share.label)] += share.heat;
  for (const FrontShare& share : e.fronts) {
    const auto row = session.front().row(share.node);
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += share.weight * static_cast<double>(row[c]);
  }
  return sum;
}

void expect_that_shares_add_up(Session& session, NodeId u) {
  const Explanation e = explain(session, session.solve(), u, kAll);
  const std::vector<double> sum = sum_of_shares(e, session);
  for (std::size_t c = 0; c < sum.size(); ++c) EXPECT_NEAR(sum[c], e.temperatures[c], kAddsUp) << u;
  EXPECT_LT(e.residual, kAddsUp) << u;
  EXPECT_NEAR(e.lead_from_labels + e.lead_from_front, e.lead, 2 * kAddsUp) << u;
}

TEST(Explain, HasSharesThatAddUpToTheTemperaturesForEveryLaplacian) {
  Threads threads(1);
  for (const LaplacianEntry& kind : laplacian_kinds()) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Session session(random_model(seed, std::string(kind.name)), threads);
      for (NodeId u = 0; u < 40; ++u) expect_that_shares_add_up(session, u);
    }
  }
}

TEST(Explain, HasSharesThatAddUpOnCora) {
  const std::filesystem::path file = test::public_data("../golden/cora_flow.npz");
  if (file.empty()) GTEST_SKIP() << "SKIPPED: needs golden/cora_flow.npz beside the public data";
  Threads threads(2);
  Dataset cora = open_dataset(file.string(), {}, threads);
  Matrix front = to_matrix(NpzReader(file).read("front"));
  Session session(test::model_on(std::move(cora), std::move(front), {"time = 5"}), threads);
  for (NodeId u = 0; u < 2708; u += 137) expect_that_shares_add_up(session, u);
}

// 0 – 1 – 2 with 0 and 2 known, degrees 2, 3, 2 with loops: f1' = (g0 + g2)/√6 − ⅔ f1.
TEST(Explain, OnAPathOfThreeIsWhatOneComputesByHand) {
  Threads threads(1);
  Dataset path{.name = "path", .graph = path_graph(3), .labels = {0, kUnknown, 1}};
  path.class_names = {"left", "right"};
  path.split = Split{.name = "ends", .train = {0, 2}};
  Matrix front(3, 2);
  front(1, 0) = 3;
  front(1, 1) = 1;
  Session session(test::model_on(path, front, {"time = 2", "tolerance = 1e-7"}), threads);
  const Explanation e = explain(session, session.solve(), 1, {.times = 3, .without = 1});
  const double kept = std::exp(-4.0 / 3), warmed = 1.5 / std::sqrt(6.0) * (1 - kept);
  EXPECT_EQ(e.label, 0);
  EXPECT_EQ(e.second, 1);
  EXPECT_NEAR(e.from_front[0], 3 * kept, 1e-6);
  EXPECT_NEAR(e.from_labels[1], warmed, 1e-6);
  EXPECT_NEAR(e.lead, 2 * kept, 1e-6);
  EXPECT_NEAR(e.lead_from_labels, 0, 1e-6);
  ASSERT_EQ(e.fronts.size(), 1u);
  EXPECT_EQ(e.fronts[0].node, 1);
  EXPECT_FALSE(e.fronts[0].neighbour);
  ASSERT_EQ(e.labels.size(), 2u);
  EXPECT_NEAR(e.labels[0].heat, warmed, 1e-6);
  EXPECT_NEAR(e.own_front[0], 1 / (1 + std::exp(-2.0)), 1e-6);
  EXPECT_EQ(e.times, (std::vector<double>{0, 1, 2}));
  EXPECT_NEAR(e.curves[0].temperatures[0], 3, 1e-6);
  EXPECT_NEAR(e.curves[0].temperatures[2], e.temperatures[0], 1e-5);
}

TEST(Explain, SaysOfAKnownNodeThatItIsItsOwnLabel) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const NodeId u = session.model().known.nodes[0];
  const Explanation e = explain(session, session.solve(), u, {});
  EXPECT_EQ(e.status, NodeStatus::known);
  ASSERT_EQ(e.labels.size(), 1u);
  EXPECT_EQ(e.labels[0].node, u);
  EXPECT_NEAR(e.labels[0].heat, 1, 1e-6);
  EXPECT_TRUE(e.fronts.empty());
}

TEST(Explain, AnswersWhatANodeWouldBeWithoutALabelAsASessionDoes) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const Explanation e = explain(session, session.solve(), 9, {.without = 2});
  ASSERT_EQ(e.without.size(), 2u);
  for (const WithoutLabel& without : e.without) {
    Session other(test::karate_model(), threads);
    other.unset(without.node);
    const Answer answer = other.solve();
    EXPECT_EQ(without.label, answer.decisions.classes[9]);
    EXPECT_NEAR(without.margin, answer.decisions.margin[9], 1e-6);
  }
}

TEST(Explain, ListsTheStrongestFirstAndNoMoreThanAsked) {
  Threads threads(1);
  Session session(random_model(2, "symmetric"), threads);
  const Explanation all = explain(session, session.solve(), 5, kAll),
                    few = explain(session, session.solve(), 5, {.labels = 2, .fronts = 3, .without = 0});
  ASSERT_GE(all.fronts.size(), 3u);
  EXPECT_EQ(few.fronts.size(), 3u);
  EXPECT_LE(few.labels.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(all.fronts, std::greater(),
                                     [](const FrontShare& share) { return std::abs(share.lead); }));
  EXPECT_EQ(few.fronts[0].node, all.fronts[0].node);
  EXPECT_EQ(few.from_front, all.from_front);
}

}  // namespace
}  // namespace heatfront
