// SPDX-License-Identifier: MIT
#include "heatfront/nn/input_dropout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/error_text.h"

namespace heatfront {
namespace {

// 40 rows of 30 entries, every third column, counted up from 1.
SparseMatrix counted_up() {
  SparseMatrix matrix{.rows = 40, .cols = 90, .offsets = {0}};
  for (std::int64_t u = 0; u < 40; ++u) {
    for (std::int32_t j = 0; j < 30; ++j) {
      matrix.columns.push_back(3 * j);
      matrix.values.push_back(static_cast<Real>(matrix.columns.size()));
    }
    matrix.offsets.push_back(std::ssize(matrix.columns));
  }
  return matrix;
}

std::vector<Real> dense(const SparseView& view, bool transposed) {
  std::vector<Real> values(40 * 90);
  for (std::int64_t i = 0; i < view.rows; ++i) {
    for (std::int64_t k = view.begins[i]; k < view.ends[i]; ++k) {
      const std::int64_t u = transposed ? view.columns[k] : i, j = transposed ? i : view.columns[k];
      values[static_cast<std::size_t>(90 * u + j)] = view.values[k];
    }
  }
  return values;
}

TEST(InputDropout, DropsTheSameEntriesOfRowsAndColumns) {
  Threads threads(2);
  const NetworkInput input(counted_up());
  InputDropout dropout(input, 0.25);
  const InputView& left = dropout.draw(Random(1), threads);
  EXPECT_EQ(dense(left.sparse, false), dense(left.transposed, true));
}

TEST(InputDropout, ScalesWhatItKeepsAndDropsItsShare) {
  Threads threads(1);
  const SparseMatrix matrix = counted_up();
  const NetworkInput input(matrix);
  InputDropout dropout(input, 0.25);
  const InputView& left = dropout.draw(Random(2), threads);
  int kept = 0;
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    if (left.sparse.values[k] == 0) continue;
    ++kept;
    EXPECT_NEAR(static_cast<double>(left.sparse.values[k]), static_cast<double>(matrix.values[k]) / 0.75,
                1e-3);
  }
  EXPECT_NEAR(kept, 900, 60) << "of 1200";
}

TEST(InputDropout, DropsDenseInputsAndNothingWhereTheShareIsZero) {
  Threads threads(1);
  Matrix ones(50, 7);
  for (std::int64_t u = 0; u < 50; ++u) std::ranges::fill(ones.row(u), Real(1));
  const NetworkInput input(ones.view());
  InputDropout half(input, 0.5), none(input, 0);
  int zeros = 0;
  for (std::int64_t u = 0; u < 50; ++u) {
    for (std::int64_t j = 0; j < 7; ++j) {
      const Real x = half.draw(Random(3), threads).dense(u, j);
      zeros += x == 0;
      EXPECT_TRUE(x == 0 || x == 2);
      EXPECT_EQ(none.draw(Random(3), threads).dense(u, j), 1);
    }
  }
  EXPECT_NEAR(zeros, 175, 40);
  EXPECT_EQ(test::error_text([&] { InputDropout(input, 1); }), "dropout 1: it must be in [0, 1)");
}

}  // namespace
}  // namespace heatfront
