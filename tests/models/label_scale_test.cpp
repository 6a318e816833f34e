// SPDX-License-Identifier: MIT
#include "heatfront/models/label_scale.h"

#include <gtest/gtest.h>

#include "heatfront/label/session.h"
#include "heatfront/train/fit.h"
#include "support/gradient_check.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

TEST(LabelScale, IsTheHeightOfFrontsThatAreOneHotThemselves) {
  Threads threads(1);
  Matrix front(2, 3);
  front(0, 1) = 4;
  front(1, 2) = 8;
  EXPECT_NEAR(front_unit(front, threads), 6, 1e-6);
  for (std::int64_t c = 0; c < 3; ++c) front(0, c) += 100;
  EXPECT_NEAR(front_unit(front, threads), 6, 1e-4) << "what all classes have in common says nothing";
  EXPECT_EQ(front_unit(Matrix(2, 3), threads), 1) << "no front stands out";
  EXPECT_NEAR(label_temperature({.label_scale = 0.5, .label_unit = "front"}, front, threads), 3, 1e-4);
  EXPECT_EQ(label_temperature({.label_scale = 0.5}, front, threads), 0.5);
}

TEST(LabelScale, HasAnExactGradient) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Threads threads(1);
  Matrix front(7, 4), gradient(7, 4);
  for (std::int64_t i = 0; i < 28; ++i) front(i / 4, i % 4) = static_cast<Real>((i * 11) % 28);
  front_unit_backward(front, 3, gradient, threads);
  test::expect_gradient(test::numbers(front), test::numbers(gradient),
                        [&] { return 3 * front_unit(front, threads); });
}

TEST(LabelScale, HoldsLabelsOfATrainedModelInItsUnitUntilATemperatureIsSet) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  const Fit fitted = fit(data, HeatFrontOptions{.label_unit = "front"}, {.epochs = 5}, 1, threads);
  Session session(fitted.model, threads);
  EXPECT_NEAR(session.problem().label_scale, front_unit(fitted.model.front, threads), 1e-9);
  EXPECT_NE(session.problem().label_scale, 1);
  session.set_label_scale(2);
  EXPECT_EQ(session.problem().label_scale, 2);
  EXPECT_EQ(Session(session.model(), threads).problem().label_scale, 2);
}

}  // namespace
}  // namespace heatfront
