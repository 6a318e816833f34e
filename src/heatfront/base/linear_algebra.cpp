// SPDX-License-Identifier: MIT
#include "heatfront/base/linear_algebra.h"

#include <algorithm>
#include <cassert>

#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::int64_t kNumbersAtOnce = 1 << 15;  // numbers that a thread takes at once

// each(i, j) for runs [i, j) of the whole storage.
template <class Each>
void for_runs(ConstMatrixView like, Threads& threads, const Each& each) {
  threads.for_blocks(like.rows * like.stride, kNumbersAtOnce, each);
}

// each(u) for all rows.
template <class Each>
void for_rows(ConstMatrixView like, Threads& threads, const Each& each) {
  const std::int64_t block =
      std::max<std::int64_t>(1, kNumbersAtOnce / std::max<std::int64_t>(1, like.stride));
  threads.for_blocks(like.rows, block, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) each(u);
  });
}

HEATFRONT_CLONES void add_numbers(const Real* __restrict x, Real* __restrict y, std::int64_t width) {
  for (std::int64_t j = 0; j < width; ++j) y[j] += x[j];
}

// In eight sums that go on side by side.
HEATFRONT_CLONES double dot_of(const Real* x, const double* y, std::int64_t count) {
  constexpr std::int64_t kSums = 8;
  double sums[kSums] = {};
  std::int64_t j = 0;
  for (; j + kSums <= count; j += kSums)
    for (std::int64_t s = 0; s < kSums; ++s) sums[s] += static_cast<double>(x[j + s]) * y[j + s];
  for (; j < count; ++j) sums[0] += static_cast<double>(x[j]) * y[j];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

HEATFRONT_CLONES void add_multiple(double a, const Real* __restrict x, double* __restrict y,
                                   std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) y[j] += a * static_cast<double>(x[j]);
}

}  // namespace

std::int64_t padded_width(std::int64_t cols) { return (cols + 3) / 4 * 4; }

Matrix padded_matrix(std::int64_t rows, std::int64_t cols) { return Matrix(rows, cols, padded_width(cols)); }

std::int64_t spread_width(std::int64_t cols) {
  constexpr std::int64_t kLine = 64 / sizeof(Real);
  const std::int64_t width = padded_width(cols);
  return width > 0 && width % (4 * kLine) == 0 ? width + kLine : width;
}

Matrix spread_matrix(std::int64_t rows, std::int64_t cols) { return Matrix(rows, cols, spread_width(cols)); }

void shape_like(Matrix& matrix, ConstMatrixView like) {
  if (matrix.rows() == like.rows && matrix.cols() == like.cols && matrix.stride() == like.stride) {
    std::fill_n(matrix.view().data, like.rows * like.stride, Real(0));
  } else {
    matrix = Matrix(like.rows, like.cols, like.stride);
  }
}

void copy(ConstMatrixView x, MatrixView y, Threads& threads) {
  assert(x.rows == y.rows && x.stride == y.stride);
  for_runs(x, threads,
           [&](std::int64_t i, std::int64_t j) { std::copy(x.data + i, x.data + j, y.data + i); });
}

void scale(double a, MatrixView y, Threads& threads) {
  const Real factor = static_cast<Real>(a);
  for_runs(y, threads, [&](std::int64_t i, std::int64_t j) {
    for (; i < j; ++i) y.data[i] *= factor;
  });
}

void add_scaled(double a, ConstMatrixView x, MatrixView y, Threads& threads) {
  assert(x.rows == y.rows && x.stride == y.stride);
  const Real factor = static_cast<Real>(a);
  for_runs(y, threads, [&](std::int64_t i, std::int64_t j) {
    for (; i < j; ++i) y.data[i] += factor * x.data[i];
  });
}

void add_compensated(ConstMatrixView x, MatrixView y, MatrixView carry, Threads& threads) {
  assert(x.rows == y.rows && x.stride == y.stride && x.stride == carry.stride);
  for_runs(y, threads, [&](std::int64_t i, std::int64_t j) {
    for (; i < j; ++i) {
      const Real wanted = x.data[i] + carry.data[i];
      const Real sum = y.data[i] + wanted;
      carry.data[i] = wanted - (sum - y.data[i]);
      y.data[i] = sum;
    }
  });
}

void scale_rows(std::span<const Real> factors, MatrixView y, Threads& threads) {
  for_rows(y, threads, [&](std::int64_t u) {
    const Real factor = factors[static_cast<std::size_t>(u)];
    for (std::int64_t j = 0; j < y.stride; ++j) y.data[u * y.stride + j] *= factor;
  });
}

double dot(std::span<const Real> x, const double* y) { return dot_of(x.data(), y, std::ssize(x)); }

void add_to(double a, std::span<const Real> x, double* y) { add_multiple(a, x.data(), y, std::ssize(x)); }

void scale_columns(std::span<const double> a, MatrixView y, Threads& threads) {
  const std::vector<Real> factors(a.begin(), a.end());
  for_rows(y, threads, [&](std::int64_t u) {
    Real* y_u = y.data + u * y.stride;
    for (std::size_t c = 0; c < factors.size(); ++c) y_u[c] *= factors[c];
  });
}

void add_scaled_columns(std::span<const double> a, ConstMatrixView x, MatrixView y, Threads& threads) {
  const std::vector<Real> factors(a.begin(), a.end());
  for_rows(y, threads, [&](std::int64_t u) {
    const Real* x_u = x.data + u * x.stride;
    Real* y_u = y.data + u * y.stride;
    for (std::size_t c = 0; c < factors.size(); ++c) y_u[c] += factors[c] * x_u[c];
  });
}

void add_row(const Real* x, Real* y, std::int64_t width) { add_numbers(x, y, width); }

void add_to_rows(std::span<const Real> x, MatrixView y) {
  for (std::int64_t u = 0; u < y.rows; ++u) add_row(x.data(), y.data + u * y.stride, std::ssize(x));
}

void column_sums(ConstMatrixView x, MatrixView sums, Threads& threads) {
  constexpr std::int64_t kColumns = 64;
  const std::int64_t block = x.rows * x.stride < (1 << 19) ? x.stride : kColumns;
  threads.for_blocks(x.stride, block, [&](std::int64_t begin, std::int64_t end) {
    std::fill(sums.data + begin, sums.data + end, Real(0));
    for (std::int64_t u = 0; u < x.rows; ++u)
      add_row(x.data + u * x.stride + begin, sums.data + begin, end - begin);
  });
}

void transpose(ConstMatrixView x, MatrixView y, Threads& threads) {
  constexpr std::int64_t kTile = 16;
  threads.for_blocks(x.cols, 8 * kTile, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i0 = 0; i0 < x.rows; i0 += kTile) {
      for (std::int64_t j0 = begin; j0 < end; j0 += kTile) {
        for (std::int64_t i = i0; i < std::min(i0 + kTile, x.rows); ++i) {
          for (std::int64_t j = j0; j < std::min(j0 + kTile, end); ++j)
            y.data[j * y.stride + i] = x.data[i * x.stride + j];
        }
      }
    }
  });
}

}  // namespace heatfront
