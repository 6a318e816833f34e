// SPDX-License-Identifier: MIT
#include "heatfront/base/one_openmp_thread.h"

#include <gtest/gtest.h>

#include <atomic>

#include "heatfront/base/parallel.h"

extern "C" void sgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
                       const int* k, const float* alpha, const float* a, const int* lda, const float* b,
                       const int* ldb, const float* beta, float* c, const int* ldc);

namespace heatfront {
namespace {

constexpr int kSize = 64;

std::vector<float> square(const std::vector<float>& matrix) {
  const OneOpenMpThread one;
  const float alpha = 1, beta = 0;
  std::vector<float> product(matrix.size());
  sgemm_("N", "N", &kSize, &kSize, &kSize, &alpha, matrix.data(), &kSize, matrix.data(), &kSize, &beta,
         product.data(), &kSize);
  return product;
}

TEST(OneOpenMpThread, GivesBackTheNumberOfBefore) {
  omp_set_num_threads(3);
  {
    const OneOpenMpThread one;
    EXPECT_EQ(omp_get_max_threads(), 1);
  }
  EXPECT_EQ(omp_get_max_threads(), 3);
}

// An OpenBLAS built without locks fails here: two calls at once claim the same buffer.
TEST(OneOpenMpThread, LetsManyThreadsMultiplyMatricesAtOnce) {
  std::vector<float> matrix(kSize * kSize);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<float>(i % 17) - 8;
  const std::vector<float> expected = square(matrix);
  std::atomic<int> wrong = 0;
  Threads(8).for_blocks(20000, 100, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) wrong += square(matrix) != expected;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace heatfront
