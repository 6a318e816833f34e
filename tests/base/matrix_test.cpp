// SPDX-License-Identifier: MIT
#include "heatfront/base/matrix.h"

#include <gtest/gtest.h>

#include "heatfront/base/sparse_matrix.h"

namespace heatfront {
namespace {

TEST(Matrix, StartsAtZeroAndKeepsWhatIsWritten) {
  Matrix matrix(2, 3);
  matrix(1, 2) = 5;
  EXPECT_EQ(matrix(0, 0), 0);
  EXPECT_EQ(matrix.row(1)[2], 5);
  EXPECT_EQ(matrix.view().data[5], 5);
}

TEST(Matrix, PadsRowsAndBeginsOnACacheLine) {
  const Matrix matrix(3, 7, 8);
  EXPECT_EQ(matrix.stride(), 8);
  EXPECT_EQ(matrix.row(2).size(), 7u);
  EXPECT_EQ(matrix.row(2).data() - matrix.row(0).data(), 16);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.view().data) % 64, 0u);
}

TEST(SparseMatrix, BecomesCanonicalBySortingSummingAndDroppingZeros) {
  SparseMatrix matrix{.rows = 2,
                      .cols = 4,
                      .offsets = {0, 4, 6},
                      .columns = {3, 1, 3, 0, 2, 2},
                      .values = {1, 2, 4, 0, 5, -5}};
  const SparseMatrix clean = canonical(matrix);
  EXPECT_EQ(clean.offsets, (std::vector<std::int64_t>{0, 2, 2}));
  EXPECT_EQ(clean.columns, (std::vector<std::int32_t>{1, 3}));
  EXPECT_EQ(clean.values, (std::vector<Real>{2, 5}));
}

}  // namespace
}  // namespace heatfront
