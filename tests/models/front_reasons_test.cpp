// SPDX-License-Identifier: MIT
#include "heatfront/models/front_reasons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heatfront/label/explain.h"
#include "heatfront/train/fit.h"
#include "support/featured_blocks.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

TrainedModel network(std::vector<std::string> settings, Threads& threads) {
  settings.push_back("epochs=5");
  return fit(test::featured_blocks(threads), {.preset = {"none"}, .settings = settings}, threads).model;
}

double sum_of(const FrontParts& parts) {
  double sum = parts.at_zero;
  for (const FrontPart& part : parts.parts) sum += part.lead;
  return sum;
}

const Matrix& matrix_of(const TrainedModel& model, const std::string& name) {
  return std::ranges::find(model.network, name, &NamedMatrix::name)->values;
}

TEST(FrontReasons, AreExactForALinearNetwork) {
  Threads threads(1);
  const TrainedModel model = network({"hidden=", "features=as-given"}, threads);
  const auto reasons = FrontReasons::of(model);
  ASSERT_TRUE(reasons);
  const Matrix& weight = matrix_of(model, "layer1.weight");
  for (NodeId u : {0, 11, 29}) {
    const FrontParts parts = reasons->parts(u, 2, 0);
    EXPECT_LT(parts.residual, 1e-5);
    for (const FrontPart& part : parts.parts) {
      const double x = static_cast<double>((*model.data.features.dense())(u, part.column));
      EXPECT_NEAR(part.lead, x * static_cast<double>(weight(part.column, 2) - weight(part.column, 0)), 1e-5);
    }
  }
}

// The share of the way from 0 to x on which b + αs > 0.
double time_above(double b, double s) {
  if (s == 0) return b > 0 ? 1 : 0;
  const double cross = std::clamp(-b / s, 0.0, 1.0);
  return s > 0 ? 1 - cross : cross;
}

TEST(FrontReasons, AreTheIntegralOfTheGradientOfOneHiddenLayer) {
  Threads threads(1);
  const TrainedModel model = network({"hidden=16", "features=as-given"}, threads);
  const auto reasons = FrontReasons::of(model);
  ASSERT_TRUE(reasons);
  const Matrix &w1 = matrix_of(model, "layer1.weight"), &b1 = matrix_of(model, "layer1.bias"),
               &w2 = matrix_of(model, "layer2.weight");
  const Matrix& x = *model.data.features.dense();
  for (NodeId u = 0; u < 30; u += 7) {
    std::vector<double> slope(16);
    for (std::int64_t j = 0; j < 16; ++j) {
      double s = 0;
      for (std::int64_t k = 0; k < x.cols(); ++k)
        s += static_cast<double>(x(u, k)) * static_cast<double>(w1(k, j));
      slope[at(static_cast<NodeId>(j))] =
          static_cast<double>(w2(j, 1) - w2(j, 0)) * time_above(static_cast<double>(b1(0, j)), s);
    }
    for (const FrontPart& part : reasons->parts(u, 1, 0).parts) {
      double expected = 0;
      for (std::int64_t j = 0; j < 16; ++j)
        expected += slope[at(static_cast<NodeId>(j))] * static_cast<double>(w1(part.column, j));
      EXPECT_NEAR(part.lead, expected * static_cast<double>(x(u, part.column)), 1e-5);
    }
  }
}

TEST(FrontReasons, AddUpToTheFrontWhateverTheNetwork) {
  Threads threads(1);
  const std::vector<std::vector<std::string>> networks = {
      {}, {"hidden=8,8"}, {"activation=elu"}, {"features=tfidf"}, {"features=neighbourhood"}};
  for (const std::vector<std::string>& settings : networks) {
    const TrainedModel model = network(settings, threads);
    const auto reasons = FrontReasons::of(model);
    ASSERT_TRUE(reasons);
    for (NodeId u = 0; u < 30; u += 5) {
      const FrontParts parts = reasons->parts(u, 0, 1);
      EXPECT_NEAR(parts.lead, static_cast<double>(model.front(u, 0) - model.front(u, 1)), 1e-6);
      EXPECT_NEAR(sum_of(parts), parts.lead, 1e-3 * std::max(1.0, std::abs(parts.lead)));
      EXPECT_NEAR(std::abs(sum_of(parts) - parts.lead), parts.residual, 1e-9);
    }
  }
}

TEST(FrontReasons, AreNoneWhereTheModelHoldsNoNetwork) {
  Threads threads(1);
  EXPECT_FALSE(FrontReasons::of(test::karate_model()));
  EXPECT_FALSE(
      FrontReasons::of(fit(test::featured_blocks(threads), {.model = "linear-front"}, threads).model));
}

TEST(Explanation, SaysWhatMadeItsOwnFrontAndThoseOfOthers) {
  Threads threads(1);
  Session session(network({}, threads), threads);
  const NodeId u = session.model().split().test[0];
  const Explanation e = explain(session, session.solve(), u, {.attributes = 1000, .without = 0});
  ASSERT_GE(e.made.size(), 2u);
  EXPECT_EQ(e.made[0].node, u);
  for (const FrontMade& made : e.made) {
    double sum = made.from_nothing;
    for (const AttributeShare& share : made.attributes) sum += share.lead;
    EXPECT_NEAR(sum, made.lead, 1e-3);
    const auto front = std::ranges::find(e.fronts, made.node, &FrontShare::node);
    if (front != e.fronts.end()) {
      EXPECT_NEAR(front->lead, made.lead, 1e-5);
    }
  }
}

}  // namespace
}  // namespace heatfront
