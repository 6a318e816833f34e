// SPDX-License-Identifier: MIT
#include "heatfront/base/matrix_product.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "heatfront/base/random.h"
#include "support/precision.h"
#include "support/sanitized.h"

namespace heatfront {
namespace {

// Rows may be wider than the matrix, and what is beside it must stay as it is.
Matrix random_matrix(std::int64_t rows, std::int64_t cols, std::uint64_t seed, std::int64_t beside = 3) {
  Matrix matrix(rows, cols, cols + beside);
  for (std::int64_t i = 0; i < rows * matrix.stride(); ++i)
    matrix.view().data[i] = static_cast<Real>(Random(seed).normal(static_cast<std::uint64_t>(i)));
  return matrix;
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.cols(), matrix.rows());
  for (std::int64_t i = 0; i < matrix.rows(); ++i) {
    for (std::int64_t j = 0; j < matrix.cols(); ++j) result(j, i) = matrix(i, j);
  }
  return result;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  for (std::int64_t i = 0; i < a.rows() * a.stride(); ++i) {
    if (a.view().data[i] != b.view().data[i]) return false;
  }
  return true;
}

// A B by a plain loop, row by row, and the sizes of what is added up.
struct PlainProduct {
  std::vector<double> sums, sizes;

  PlainProduct(const Matrix& a, const Matrix& b) {
    for (std::int64_t i = 0; i < a.rows(); ++i) {
      for (std::int64_t j = 0; j < b.cols(); ++j) {
        double sum = 0, size = 0;
        for (std::int64_t k = 0; k < a.cols(); ++k) {
          const double term = static_cast<double>(a(i, k)) * static_cast<double>(b(k, j));
          sum += term;
          size += std::abs(term);
        }
        sums.push_back(sum);
        sizes.push_back(size);
      }
    }
  }
};

// The entries of `c` that are not A B + before, by more than `depth` roundings, and those beside it that have changed.
int wrong_entries(const PlainProduct& plain, std::int64_t depth, const Matrix& before, bool added,
                  const Matrix& c) {
  int wrong = 0;
  std::size_t at = 0;
  for (std::int64_t i = 0; i < c.rows(); ++i) {
    for (std::int64_t j = 0; j < c.cols(); ++j, ++at) {
      const double start = added ? static_cast<double>(before(i, j)) : 0;
      const double sum = start + plain.sums[at], size = std::abs(start) + plain.sizes[at];
      const double rounding = static_cast<double>(std::numeric_limits<Real>::epsilon());
      wrong +=
          !(std::abs(static_cast<double>(c(i, j)) - sum) <= static_cast<double>(depth + 1) * rounding * size);
    }
    for (std::int64_t j = c.cols(); j < c.stride(); ++j)
      wrong += c.view().data[i * c.stride() + j] != before.view().data[i * c.stride() + j];
  }
  return wrong;
}

struct Shape {
  std::int64_t rows, depth, cols, beside = 3;
};

// Around the sizes of the blocks here (64, 128, 256) and of BLIS' kernels (6 × 16), thin and wide.
std::vector<Shape> shapes() {
  std::vector<Shape> result;
  for (std::int64_t rows : {0, 1, 5, 6, 7, 64, 257}) {
    for (std::int64_t depth : {0, 1, 3, 16, 255, 257}) {
      for (std::int64_t cols : {0, 1, 2, 3, 7, 16, 17, 64, 65, 129}) {
        for (std::int64_t beside : {0, 3}) result.push_back({rows, depth, cols, beside});
      }
    }
  }
  return result;
}

TEST(MatrixProduct, IsThatOfAPlainLoopForEveryShapeAndTransposition) {
  Threads threads(2);
  int wrong = 0;
  for (const Shape& shape : shapes()) {
    const Matrix a = random_matrix(shape.rows, shape.depth, 1, shape.beside),
                 b = random_matrix(shape.depth, shape.cols, 2, shape.beside);
    const Matrix before = random_matrix(shape.rows, shape.cols, 3, shape.beside);
    const Matrix a_transposed = transposed(a), b_transposed = transposed(b);
    const PlainProduct plain(a, b);
    const auto check = [&](bool added, const auto& product) {
      Matrix c = before;
      product(c);
      const int here = wrong_entries(plain, shape.depth, before, added, c);
      EXPECT_EQ(here, 0) << shape.rows << " × " << shape.depth << " · " << shape.depth << " × " << shape.cols;
      wrong += here;
    };
    check(false, [&](Matrix& c) { multiply(a, b, c, threads); });
    check(false, [&](Matrix& c) { multiply_here(a, b, c); });
    check(true, [&](Matrix& c) { add_product(a, b, c, threads); });
    check(false, [&](Matrix& c) { multiply_by_transposed(a, b_transposed, c, threads); });
    check(false, [&](Matrix& c) { multiply_transposed(a_transposed, b, c, threads); });
    ASSERT_EQ(wrong, 0);
  }
}

// A BLAS whose calls share a buffer without a lock fails here.
TEST(MatrixProduct, IsTheSameFromEightThreadsAtOnce) {
  constexpr std::array<Shape, 4> kShapes{{{64, 64, 64}, {40, 300, 70}, {6, 20, 3}, {128, 5, 16}}};
  constexpr std::int64_t kProducts = test::kSanitized || test::kDouble ? 2000 : 20000;
  Threads alone(1);
  std::vector<Matrix> a, b, b_transposed, expected, expected_by_transposed;
  for (const Shape& shape : kShapes) {
    a.push_back(random_matrix(shape.rows, shape.depth, 1));
    b.push_back(random_matrix(shape.depth, shape.cols, 2));
    b_transposed.push_back(transposed(b.back()));
    const Matrix before = random_matrix(shape.rows, shape.cols, 3);
    Matrix c = before;
    multiply(a.back(), b.back(), c, alone);
    EXPECT_EQ(wrong_entries(PlainProduct(a.back(), b.back()), shape.depth, before, false, c), 0);
    expected.push_back(c);
    multiply_by_transposed(a.back(), b_transposed.back(), c, alone);
    EXPECT_EQ(wrong_entries(PlainProduct(a.back(), b.back()), shape.depth, before, false, c), 0);
    expected_by_transposed.push_back(c);
  }
  std::atomic<int> wrong = 0;
  Threads(8).for_blocks(kProducts, 100, [&](std::int64_t begin, std::int64_t end) {
    Threads here(1);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::size_t s = static_cast<std::size_t>(i) % kShapes.size();
      Matrix c = expected_by_transposed[s];
      multiply(a[s], b[s], c, here);
      wrong += !same_bits(c, expected[s]);
      multiply_by_transposed(a[s], b_transposed[s], c, here);
      wrong += !same_bits(c, expected_by_transposed[s]);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(MatrixProduct, HasTheSameBitsForAnyNumberOfThreads) {
  const Matrix a = random_matrix(700, 300, 1), b = random_matrix(300, 70, 2), d = random_matrix(700, 70, 3);
  const Matrix b_transposed = transposed(b);
  const auto products = [&](int count) {
    Threads threads(count);
    std::vector<Matrix> result{Matrix(700, 70), Matrix(700, 70), Matrix(300, 70)};
    multiply(a, b, result[0], threads);
    multiply_by_transposed(a, b_transposed, result[1], threads);
    multiply_transposed(a, d, result[2], threads);
    return result;
  };
  const std::vector<Matrix> expected = products(1);
  for (int count : {2, 3, 8}) {
    const std::vector<Matrix> found = products(count);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(same_bits(found[i], expected[i])) << i;
  }
}

}  // namespace
}  // namespace heatfront
