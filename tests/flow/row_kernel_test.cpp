// SPDX-License-Identifier: MIT
#include "heatfront/flow/row_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/reference.h"

namespace heatfront {
namespace {

using test::RandomProblem;

std::vector<Real> stepped(const RandomProblem& random, bool far_apart, std::int64_t block) {
  const std::vector<Real> scale(static_cast<std::size_t>(random.graph.nodes()), Real(0.3));
  std::vector<std::uint8_t> clamped(scale.size());
  for (NodeId u : random.known) clamped[static_cast<std::size_t>(u)] = 1;
  const RowKernel kernel{.offsets = random.graph.offsets().data(),
                         .targets = random.graph.targets().data(),
                         .weights = random.weights.empty() ? nullptr : random.weights.data(),
                         .scale = scale.data(),
                         .shift = scale.data(),
                         .clamped = clamped.data(),
                         .far_apart = far_apart};
  Matrix y = random.front, sum = random.front;
  const Step step{.alpha = 2, .beta = 0.5, .gamma = -1, .delta = 0.1};
  for (std::int64_t begin = 0; begin < y.rows(); begin += block) {
    apply_rows(kernel, step, random.front, y, sum, begin, std::min(y.rows(), begin + block));
  }
  std::vector<Real> values;
  for (const Matrix* matrix : {&y, &sum}) {
    const ConstMatrixView view = *matrix;
    values.insert(values.end(), view.data, view.data + view.rows * view.stride);
  }
  return values;
}

TEST(RowKernel, GivesTheSameBitsHoweverItFetchesRowsAndSharesThemOut) {
  for (std::int64_t width = 1; width <= 50; width += 3) {
    for (const std::uint64_t seed : {2u, 3u}) {  // without and with weights
      const RandomProblem random(seed, 90, width, 6);
      const std::vector<Real> expected = stepped(random, false, 90);
      EXPECT_EQ(stepped(random, true, 90), expected) << width;
      EXPECT_EQ(stepped(random, true, 7), expected) << width;
    }
  }
}

}  // namespace
}  // namespace heatfront
