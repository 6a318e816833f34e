// SPDX-License-Identifier: MIT
#include "heatfront/base/sparse_product.h"

#include <gtest/gtest.h>

#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"
#include "heatfront/base/random.h"

namespace heatfront {
namespace {

Matrix random_dense(std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  Matrix matrix = spread_matrix(rows, cols);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j)
      matrix(i, j) = static_cast<Real>(Random(seed).normal(static_cast<std::uint64_t>(i * cols + j)));
  }
  return matrix;
}

SparseMatrix random_sparse(std::int64_t rows, std::int64_t cols, double share, bool valued,
                           std::uint64_t seed) {
  const Random random(seed);
  SparseMatrix matrix{.rows = rows, .cols = cols, .offsets = {0}};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) {
      const auto index = static_cast<std::uint64_t>(i * cols + j);
      if (random.uniform(index) >= share) continue;
      matrix.columns.push_back(static_cast<std::int32_t>(j));
      if (valued) matrix.values.push_back(static_cast<Real>(random.normal(index)));
    }
    matrix.offsets.push_back(std::ssize(matrix.columns));
  }
  return matrix;
}

Matrix dense_of(const SparseMatrix& sparse) {
  Matrix matrix = spread_matrix(sparse.rows, sparse.cols);
  for (std::int64_t i = 0; i < sparse.rows; ++i) {
    const auto columns = sparse.row_columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      matrix(i, columns[k]) = sparse.values.empty() ? Real(1) : sparse.row_values(i)[k];
  }
  return matrix;
}

// Σ_k a_ik b_kj, slowly.
double product(const Matrix& a, const Matrix& b, std::int64_t i, std::int64_t j) {
  double sum = 0;
  for (std::int64_t k = 0; k < a.cols(); ++k)
    sum += static_cast<double>(a(i, k)) * static_cast<double>(b(k, j));
  return sum;
}

TEST(SparseProduct, IsTheDenseOneForEveryWidth) {
  Threads threads(2);
  for (std::int64_t width : {1, 2, 3, 4, 5, 8, 12, 16, 20, 31, 36, 64, 100, 130, 512}) {
    for (bool valued : {false, true}) {
      const SparseMatrix s = random_sparse(30, 17, 0.3, valued, 1);
      const Matrix d = random_dense(17, width, 2), a = dense_of(s), bias = random_dense(1, width, 3);
      Matrix out = padded_matrix(30, width);
      sparse_times_dense(view_of(s), d, {bias.view().data, static_cast<std::size_t>(bias.stride())}, out,
                         threads);
      for (std::int64_t i = 0; i < 30; ++i) {
        for (std::int64_t j = 0; j < width; ++j)
          ASSERT_NEAR(static_cast<double>(out(i, j)), product(a, d, i, j) + static_cast<double>(bias(0, j)),
                      1e-4);
      }
    }
  }
}

TEST(SparseProduct, MultipliesSparseBySparse) {
  Threads threads(2);
  const SparseMatrix s = random_sparse(20, 15, 0.3, true, 4), d = random_sparse(15, 33, 0.2, true, 5);
  const Matrix a = dense_of(s), b = dense_of(d);
  Matrix out = padded_matrix(20, 33);
  sparse_times_sparse(view_of(s), view_of(d), out, threads);
  for (std::int64_t i = 0; i < 20; ++i) {
    for (std::int64_t j = 0; j < 33; ++j)
      ASSERT_NEAR(static_cast<double>(out(i, j)), product(a, b, i, j), 1e-5);
  }
}

TEST(SparseProduct, GivesInnerProductsAtChosenEntries) {
  Threads threads(2);
  for (std::int64_t width : {1, 4, 30, 32, 100}) {
    const SparseMatrix s = random_sparse(12, 9, 0.4, false, 6);
    const Matrix a = random_dense(12, width, 7), b = random_dense(9, width, 8);
    std::vector<Real> values(s.columns.size());
    dense_products_at(view_of(s), a, b, values.data(), threads);
    for (std::int64_t i = 0; i < 12; ++i) {
      for (auto k = static_cast<std::size_t>(s.offsets[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(s.offsets[static_cast<std::size_t>(i) + 1]); ++k) {
        double expected = 0;
        for (std::int64_t j = 0; j < width; ++j)
          expected += static_cast<double>(a(i, j)) * static_cast<double>(b(s.columns[k], j));
        ASSERT_NEAR(static_cast<double>(values[k]), expected, 1e-4);
      }
    }
  }
}

TEST(SparseProduct, TransposesAndBack) {
  const SparseMatrix s = random_sparse(20, 15, 0.3, true, 9);
  SparseMatrix transposed, back;
  transpose(view_of(s), transposed);
  transpose(view_of(transposed), back);
  EXPECT_EQ(back.offsets, s.offsets);
  EXPECT_EQ(back.columns, s.columns);
  EXPECT_EQ(back.values, s.values);
  EXPECT_EQ(dense_of(transposed)(3, 5), dense_of(s)(5, 3));
}

TEST(MatrixProduct, IsTheSlowOneForEveryTransposition) {
  Threads threads(3);
  const Matrix a = random_dense(300, 40, 10), b = random_dense(40, 9, 11), c = random_dense(300, 9, 12);
  Matrix ab = padded_matrix(300, 9), ct_a = padded_matrix(9, 40), c_bt = padded_matrix(300, 40);
  multiply(a, b, ab, threads);
  multiply_transposed(c, a, ct_a, threads);
  multiply_by_transposed(c, b, c_bt, threads);
  double expected = 0;
  for (std::int64_t u = 0; u < 300; ++u)
    expected += static_cast<double>(c(u, 4)) * static_cast<double>(a(u, 33));
  EXPECT_NEAR(static_cast<double>(ct_a(4, 33)), expected, 1e-3);
  for (std::int64_t u = 0; u < 300; ++u) {
    EXPECT_NEAR(static_cast<double>(ab(u, 8)), product(a, b, u, 8), 1e-4);
    expected = 0;
    for (std::int64_t j = 0; j < 9; ++j)
      expected += static_cast<double>(c(u, j)) * static_cast<double>(b(17, j));
    EXPECT_NEAR(static_cast<double>(c_bt(u, 17)), expected, 1e-4);
  }
}

}  // namespace
}  // namespace heatfront
