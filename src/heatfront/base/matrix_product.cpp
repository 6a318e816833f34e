// SPDX-License-Identifier: MIT
#include "heatfront/base/matrix_product.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "heatfront/base/one_openmp_thread.h"

// The products of BLAS, as Fortran calls them: column-major, all by reference.
extern "C" void sgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
                       const float* alpha, const float* a, const int* lda, const float* b, const int* ldb,
                       const float* beta, float* c, const int* ldc);
extern "C" void dgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
                       const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
                       const double* beta, double* c, const int* ldc);

namespace heatfront {
namespace {

constexpr std::int64_t kRows = 256;           // of C a thread makes at once
constexpr std::int64_t kRowsOfProduct = 128;  // rows of C = Aᵀ B a thread makes at once

constexpr auto blas_gemm(const float*) { return sgemm_; }
[[maybe_unused]] constexpr auto blas_gemm(const double*) { return dgemm_; }

// Row-major C ← op(A) op(B) + before·C is column-major Cᵀ ← op(B)ᵀ op(A)ᵀ + before·Cᵀ.
template <class T>
void gemm(const char* op_a, const char* op_b, std::int64_t depth, BasicMatrixView<const T> a,
          BasicMatrixView<const T> b, BasicMatrixView<T> c, std::type_identity_t<T> before = 0) {
  const int m = static_cast<int>(c.cols), n = static_cast<int>(c.rows), k = static_cast<int>(depth);
  const int lda = static_cast<int>(a.stride), ldb = static_cast<int>(b.stride),
            ldc = static_cast<int>(c.stride);
  if (m == 0 || n == 0) return;
  const T one = 1;
  blas_gemm(c.data)(op_b, op_a, &m, &n, &k, &one, b.data, &ldb, a.data, &lda, &before, c.data, &ldc);
}

}  // namespace

void multiply_here(ConstMatrixView a, ConstMatrixView b, MatrixView c) {
  assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
  gemm("N", "N", a.cols, a, b, c);
}

void multiply_by_transposed_here(BasicMatrixView<const float> a, BasicMatrixView<const float> b,
                                 BasicMatrixView<float> c) {
  assert(a.cols == b.cols && a.rows == c.rows && b.rows == c.cols);
  gemm("N", "T", a.cols, a, b, c);
}

void multiply(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads) {
  threads.for_blocks(a.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
    const OneOpenMpThread one;
    multiply_here(a.rows_between(begin, end), b, c.rows_between(begin, end));
  });
}

void add_product(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads) {
  assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
  threads.for_blocks(a.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
    const OneOpenMpThread one;
    gemm("N", "N", a.cols, a.rows_between(begin, end), b, c.rows_between(begin, end), 1);
  });
}

void multiply_by_transposed(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads) {
  assert(a.cols == b.cols && a.rows == c.rows && b.rows == c.cols);
  threads.for_blocks(a.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
    const OneOpenMpThread one;
    gemm("N", "T", a.cols, a.rows_between(begin, end), b, c.rows_between(begin, end));
  });
}

void multiply_transposed(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads) {
  assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols);
  threads.for_blocks(a.cols, kRowsOfProduct, [&](std::int64_t begin, std::int64_t end) {
    const OneOpenMpThread one;
    ConstMatrixView part = a;
    part.data += begin;
    part.cols = end - begin;
    gemm("T", "N", a.rows, part, b, c.rows_between(begin, end));
  });
}

}  // namespace heatfront
