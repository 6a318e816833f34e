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
            "unknown metric 'taxi'; there are: euclidean, cosine");
}

}  // namespace
}  // namespace heatfront
