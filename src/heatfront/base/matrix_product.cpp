// SPDX-License-Identifier: MIT
#include "heatfront/base/matrix_product.h"

#include <blis.h>

#include <algorithm>
#include <cassert>

#ifdef BLIS_FAMILY_X86_64
// BLIS has kernels for thirteen processors, two thirds of a program that is linked with it. Here all with AVX2 and FMA get those of
// the first of them, and those with AVX alone likewise, so that the archive's others are not linked. Weak, for programs that
// have linked them already.
#define HEATFRONT_SHARES_KERNELS(processor, first)                                                  \
  extern "C" {                                                                                      \
  [[gnu::weak]] void bli_cntx_init_##processor(cntx_t* context) { bli_cntx_init_##first(context); } \
  [[gnu::weak]] void bli_cntx_init_##processor##_ref(cntx_t* context) {                             \
    bli_cntx_init_##first##_ref(context);                                                           \
  }                                                                                                 \
  [[gnu::weak]] void bli_cntx_init_##processor##_ind(ind_t method, cntx_t* context) {               \
    bli_cntx_init_##first##_ind(method, context);                                                   \
  }                                                                                                 \
  }
HEATFRONT_SHARES_KERNELS(skx, haswell)
HEATFRONT_SHARES_KERNELS(knl, haswell)
HEATFRONT_SHARES_KERNELS(zen, haswell)
HEATFRONT_SHARES_KERNELS(zen2, haswell)
HEATFRONT_SHARES_KERNELS(zen3, haswell)
HEATFRONT_SHARES_KERNELS(excavator, haswell)
HEATFRONT_SHARES_KERNELS(bulldozer, sandybridge)
HEATFRONT_SHARES_KERNELS(piledriver, sandybridge)
HEATFRONT_SHARES_KERNELS(steamroller, sandybridge)
#undef HEATFRONT_SHARES_KERNELS
#endif

namespace heatfront {
namespace {

constexpr std::int64_t kRows = 256;           // of C a thread makes at once
constexpr std::int64_t kRowsOfProduct = 128;  // rows of C = Aᵀ B a thread makes at once

// Which kernels BLIS takes. Left to itself it chooses them, and so the order of summation, by the processor: here all with AVX2
// and FMA take the same, and give the same bits. Its products are those for small matrices, whatever the sizes: they read A
// and B where they are, and so need no buffers, for lack of which BLIS would end the program.
const cntx_t* kernels() {
  static const cntx_t chosen = [] {
    bli_init();
#ifdef BLIS_CONFIG_HASWELL
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      constexpr dim_t kAnySize = dim_t{1} << 40;
      cntx_t haswell;
      bli_cntx_init_haswell(&haswell);
      for (const threshid_t side : {BLIS_MT, BLIS_NT, BLIS_KT}) {
        bli_blksz_set_def(kAnySize, BLIS_FLOAT, &haswell.l3_sup_thresh[side]);
        bli_blksz_set_def(kAnySize, BLIS_DOUBLE, &haswell.l3_sup_thresh[side]);
      }
      return haswell;
    }
#endif
    return *bli_gks_query_cntx();
  }();
  return &chosen;
}

constexpr auto blis_gemm(const float*) { return bli_sgemm_ex; }
constexpr auto blis_gemm(const double*) { return bli_dgemm_ex; }

// A matrix as BLIS takes it: entry (i, j) is data[i·down + j·right].
template <class T>
struct Strided {
  const T* data;
  std::int64_t down, right;
};

template <class T>
Strided<T> as_it_is(BasicMatrixView<const T> m) {
  return {m.data, m.stride, 1};
}

// C ← factor·A B + before·C, where A has `depth` columns. The settings are given here, lest BLIS take them from the environment.
template <class T>
void gemm(Strided<T> a, Strided<T> b, std::int64_t depth, BasicMatrixView<T> c, T before, T factor = 1) {
  rntm_t settings;
  bli_rntm_init(&settings);
  bli_rntm_set_num_threads(1, &settings);
  blis_gemm(c.data)(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, c.rows, c.cols, depth, &factor,
                    const_cast<T*>(a.data), a.down, a.right, const_cast<T*>(b.data), b.down, b.right, &before,
                    c.data, c.stride, 1, const_cast<cntx_t*>(kernels()), &settings);
}

// C ← factor·A Bᵀ + before·C, by a copy of Bᵀ in parts that stay in the cache: BLIS itself is up to ten times slower on it.
template <class T>
void gemm_by_transposed(BasicMatrixView<const T> a, BasicMatrixView<const T> b, BasicMatrixView<T> c,
                        T before = 0, T factor = 1) {
  constexpr std::int64_t kDepth = 256, kWidth = 64, kTogether = 8;
  alignas(64) T part[kDepth * kWidth];
  if (a.cols == 0) gemm<T>(as_it_is(a), as_it_is(b), 0, c, before);
  for (std::int64_t k = 0; k < a.cols; k += kDepth) {
    const std::int64_t depth = std::min(kDepth, a.cols - k);
    for (std::int64_t j = 0; j < b.rows; j += kWidth) {
      const std::int64_t width = std::min(kWidth, b.rows - j);
      for (std::int64_t first = 0; first < width; first += kTogether) {
        const std::int64_t last = std::min(first + kTogether, width);
        for (std::int64_t p = 0; p < depth; ++p) {
          for (std::int64_t q = first; q < last; ++q)
            part[p * kWidth + q] = b.data[(j + q) * b.stride + k + p];
        }
      }
      gemm<T>({a.data + k, a.stride, 1}, {part, kWidth, 1}, depth, {c.data + j, c.rows, width, c.stride},
              k == 0 ? before : T(1), factor);
    }
  }
}

}  // namespace

void multiply_here(BasicMatrixView<const float> a, BasicMatrixView<const float> b, BasicMatrixView<float> c) {
  assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
  gemm<float>(as_it_is(a), as_it_is(b), a.cols, c, 0);
}

void multiply_here(BasicMatrixView<const double> a, BasicMatrixView<const double> b,
                   BasicMatrixView<double> c) {
  assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
  gemm<double>(as_it_is(a), as_it_is(b), a.cols, c, 0);
}

void multiply_transposed_here(ConstMatrixView a, ConstMatrixView b, MatrixView c) {
  assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols);
  gemm<Real>({a.data, 1, a.stride}, as_it_is(b), a.rows, c, 0);
}

void subtract_by_transposed_here(BasicMatrixView<const float> a, BasicMatrixView<const float> b,
                                 BasicMatrixView<float> c) {
  assert(a.cols == b.cols && a.rows == c.rows && b.rows == c.cols);
  gemm_by_transposed<float>(a, b, c, 1, -1);
}

void subtract_by_transposed_here(BasicMatrixView<const double> a, BasicMatrixView<const double> b,
                                 BasicMatrixView<double> c) {
  assert(a.cols == b.cols && a.rows == c.rows && b.rows == c.cols);
  gemm_by_transposed<double>(a, b, c, 1, -1);
}

void multiply_by_itself(ConstMatrixView a, MatrixView c, Threads& threads) {
  assert(a.cols == c.rows && c.rows == c.cols);
  threads.for_blocks(a.cols, kRowsOfProduct, [&](std::int64_t begin, std::int64_t end) {
    gemm<Real>({a.data + begin, 1, a.stride}, as_it_is(a), a.rows,
               MatrixView{c.data + begin * c.stride, end - begin, end, c.stride}, 0);
  });
  threads.for_blocks(a.cols, kRowsOfProduct, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t j = end; j < c.cols; ++j) c(i, j) = c(j, i);
  });
}

void multiply_by_transposed_here(BasicMatrixView<const float> a, BasicMatrixView<const float> b,
                                 BasicMatrixView<float> c) {
  assert(a.cols == b.cols && a.rows == c.rows && b.rows == c.cols);
  gemm_by_transposed(a, b, c);
}

void multiply_by_transposed_here(BasicMatrixView<const double> a, BasicMatrixView<const double> b,
                                 BasicMatrixView<double> c) {
  assert(a.cols == b.cols && a.rows == c.rows && b.rows == c.cols);
  gemm_by_transposed(a, b, c);
}

void multiply(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads) {
  threads.for_blocks(a.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
    multiply_here(a.rows_between(begin, end), b, c.rows_between(begin, end));
  });
}

void add_product(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads) {
  assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
  threads.for_blocks(a.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
    gemm<Real>(as_it_is(a.rows_between(begin, end)), as_it_is(b), a.cols, c.rows_between(begin, end), 1);
  });
}

void multiply_by_transposed(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads) {
  assert(a.cols == b.cols && a.rows == c.rows && b.rows == c.cols);
  threads.for_blocks(a.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
    gemm_by_transposed(a.rows_between(begin, end), b, c.rows_between(begin, end));
  });
}

void multiply_transposed(ConstMatrixView a, ConstMatrixView b, MatrixView c, Threads& threads) {
  assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols);
  threads.for_blocks(a.cols, kRowsOfProduct, [&](std::int64_t begin, std::int64_t end) {
    gemm<Real>({a.data + begin, 1, a.stride}, as_it_is(b), a.rows, c.rows_between(begin, end), 0);
  });
}

}  // namespace heatfront
