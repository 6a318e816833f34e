// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/join_points.h"

#include <gtest/gtest.h>

#include "heatfront_io/formats/open.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

TEST(JoinPoints, TakesTheMetricThatTheKernelAsksFor) {
  Threads threads(1);
  const Dataset digits = open_dataset("digits", {}, threads);
  const JoinOptions asked{.knn = {.k = 3}, .kernel = {.kernel = Kernel::cosine}};
  EXPECT_EQ(join_points(digits, asked, threads).knn.metric, Metric::cosine);
  EXPECT_EQ(join_points(digits, {.knn = {.k = 3}}, threads).knn.metric, Metric::euclidean);
}

TEST(JoinPoints, RefusesPointsWithoutFeatures) {
  Threads threads(1);
  const Dataset karate = open_dataset("karate", {}, threads);
  EXPECT_NE(test::error_text([&] { join_points(karate, {}, threads); }).find("has no features"),
            std::string::npos);
}

TEST(Metrics, AreFoundByTheirNames) {
  for (const MetricEntry& entry : metrics()) EXPECT_EQ(name_of(find_metric(entry.name).metric), entry.name);
  EXPECT_EQ(test::error_text([] { find_metric("taxi"); }),
            "unknown metric 'taxi'; choose from: euclidean, cosine");
}

TEST(JoinLonePoints, JoinsOnlyWhereThereIsNoEdge) {
  Threads threads(1);
  Dataset points{.name = "p", .graph = Graph::without_edges(4)};
  Matrix places(4, 1);
  for (std::int64_t u = 0; u < 4; ++u) places(u, 0) = static_cast<Real>(u);
  points.features = Features(std::move(places));
  points.labels.assign(4, kUnknown);
  EXPECT_EQ(join_lone_points(points, threads).size(), 1u);
  EXPECT_EQ(points.graph.edges(), 6) << "of four points each has three others";
  EXPECT_TRUE(join_lone_points(points, threads).empty()) << "it has edges now";
}

}  // namespace
}  // namespace heatfront
