// SPDX-License-Identifier: MIT
#include "heatfront/nn/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "heatfront/base/random.h"
#include "support/gradient_check.h"

namespace heatfront {
namespace {

TEST(CrossEntropy, IsTheLogarithmOfTheClassesWhereNothingIsKnown) {
  const Matrix logits(3, 4);
  const std::vector<ClassId> labels = {0, 1, 3};
  const std::vector<NodeId> rows = {0, 2};
  EXPECT_NEAR(cross_entropy(logits, labels, rows), std::log(4.0), 1e-7);
  EXPECT_TRUE(std::isnan(cross_entropy(logits, labels, std::vector<NodeId>{})));
}

TEST(CrossEntropy, DoesNotOverflowForLargeLogits) {
  Matrix logits(1, 2);
  logits(0, 0) = Real(1e30);
  EXPECT_EQ(cross_entropy(logits, std::vector<ClassId>{0}, std::vector<NodeId>{0}), 0);
  EXPECT_GT(cross_entropy(logits, std::vector<ClassId>{1}, std::vector<NodeId>{0}), 1e29);
}

TEST(CrossEntropy, HasAnExactGradientOnItsRowsAndNoneElsewhere) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Matrix logits(4, 3), gradient(4, 3);
  for (std::int64_t i = 0; i < 12; ++i)
    logits.view().data[i] = static_cast<Real>(Random(2).normal(static_cast<std::uint64_t>(i)));
  const std::vector<ClassId> labels = {2, 0, 1, 1};
  const std::vector<NodeId> rows = {0, 2, 3};
  const double loss = cross_entropy(logits, labels, rows, gradient);
  EXPECT_NEAR(loss, cross_entropy(logits, labels, rows), 1e-15);
  test::expect_gradient(
      {logits.view().data, 12}, {gradient.view().data, 12},
      [&] { return cross_entropy(logits, labels, rows); }, 1e-8);
}

TEST(CrossEntropy, CountsEachLabelByTheWeightOfItsClass) {
  Matrix logits(3, 2), gradient(3, 2);
  logits(0, 0) = 1;
  logits(2, 1) = 2;
  const std::vector<ClassId> labels = {0, 1, 0};
  const std::vector<NodeId> rows = {0, 1, 2};
  const std::vector<double> weights = {0.75, 1.5};
  const auto loss_of = [&](NodeId u) { return cross_entropy(logits, labels, std::vector<NodeId>{u}); };
  EXPECT_NEAR(cross_entropy(logits, labels, rows, gradient, weights),
              (0.75 * loss_of(0) + 1.5 * loss_of(1) + 0.75 * loss_of(2)) / 3, 1e-6);
  EXPECT_NEAR(static_cast<double>(gradient(1, 1)), 1.5 * (0.5 - 1) / 3, 1e-7);
}

TEST(BalancedWeights, LetEveryClassCountAlikeWithAMeanWeightOfOne) {
  const std::vector<ClassId> labels = {0, 0, 0, 0, 0, 0, 2, 2};  // six and two, and none of class 1
  const std::vector<double> weights = balanced_weights(labels, 3);
  EXPECT_EQ(weights, (std::vector<double>{8.0 / (2 * 6), 1, 8.0 / (2 * 2)}));
  double sum = 0;
  for (ClassId label : labels) sum += weights[at(label)];
  EXPECT_NEAR(sum, 8, 1e-12);
}

}  // namespace
}  // namespace heatfront
