// SPDX-License-Identifier: MIT
#include "heatfront/base/cholesky.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::int64_t kFactorBlock = 64;

template <class T>
BasicMatrixView<T> part(BasicMatrixView<T> m, std::int64_t row, std::int64_t rows, std::int64_t col,
                        std::int64_t cols) {
  return {m.data + row * m.stride + col, rows, cols, m.stride};
}

// The same of a small matrix, row by row.
template <class T>
bool invert_small_factor(BasicMatrixView<T> a, BasicMatrixView<T> x) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      if (i == j && !(sum > 0)) return false;
      a(i, j) = i == j ? std::sqrt(sum) : sum / a(j, j);
    }
    for (std::int64_t j = 0; j < i; ++j) {
      T sum = 0;
      for (std::int64_t k = j; k < i; ++k) sum -= a(i, k) * x(k, j);
      x(i, j) = sum / a(i, i);
    }
    x(i, i) = 1 / a(i, i);
  }
  return true;
}

// A → L in blocks, of which inverse(k, size) lends room for the inverse of each on the diagonal.
template <class T, class Inverse>
bool factor_in_blocks(BasicMatrixView<T> a, const Inverse& inverse_at) {
  const std::int64_t n = a.rows;
  T room[kFactorBlock * kFactorBlock];
  for (std::int64_t k = 0; k < n; k += kFactorBlock) {
    const std::int64_t size = std::min(kFactorBlock, n - k);
    const auto done = part(a, k, size, 0, k);  // L_k,0…k−1
    // A_ik −= Σ_j L_ij L_kjᵀ, from the diagonal block downwards.
    if (k > 0) subtract_by_transposed_here(part(a, k, n - k, 0, k), done, part(a, k, n - k, k, size));
    const BasicMatrixView<T> inverse = inverse_at(k, size);
    if (!invert_small_factor(part(a, k, size, k, size), inverse)) return false;
    // L_ik = A_ik L_kk⁻ᵀ, in strips, for the product cannot be made in place.
    for (std::int64_t i = k + size; i < n; i += kFactorBlock) {
      const auto strip = part(a, i, std::min(kFactorBlock, n - i), k, size);
      const BasicMatrixView<T> copy{room, strip.rows, size, size};
      for (std::int64_t r = 0; r < strip.rows; ++r) std::ranges::copy(strip.row(r), copy.row(r).begin());
      multiply_by_transposed_here(copy, inverse, strip);
    }
  }
  return true;
}

template <class T>
bool invert_in_blocks(BasicMatrixView<T> a, BasicMatrixView<T> x) {
  assert(a.rows == a.cols && x.rows == a.rows && x.cols == a.rows);
  const std::int64_t n = a.rows;
  for (std::int64_t i = 0; i < n; ++i) std::ranges::fill(x.row(i), T(0));
  if (!factor_in_blocks(a, [&](std::int64_t k, std::int64_t size) { return part(x, k, size, k, size); }))
    return false;
  T room[kFactorBlock * kFactorBlock];
  // X_ij = −X_ii Σ_{j ≤ k < i} L_ik X_kj.
  for (std::int64_t i = kFactorBlock; i < n; i += kFactorBlock) {
    const std::int64_t size = std::min(kFactorBlock, n - i);
    for (std::int64_t j = 0; j < i; j += kFactorBlock) {
      const std::int64_t width = std::min(kFactorBlock, i - j);
      const BasicMatrixView<T> sum{room, size, width, width};
      multiply_here(part(a, i, size, j, i - j), part(x, j, i - j, j, width), sum);
      const auto out = part(x, i, size, j, width);
      multiply_here(part(x, i, size, i, size), sum, out);
      for (std::int64_t r = 0; r < size; ++r)
        for (T& value : out.row(r)) value = -value;
    }
  }
  return true;
}

HEATFRONT_CLONES void subtract_numbers(double factor, const double* __restrict x, double* __restrict y,
                                       std::int64_t count) {
  for (std::int64_t c = 0; c < count; ++c) y[c] -= factor * x[c];
}

// L y = b, then Lᵀ x = y: row i of L is a product in the first, and in the second what x_i takes from all before.
void solve_one(ConstMatrixView l, double* b) {
  for (std::int64_t i = 0; i < l.rows; ++i)
    b[i] = (b[i] - dot(l.row(i).first(at(i)), b)) / static_cast<double>(l(i, i));
  for (std::int64_t i = l.rows - 1; i >= 0; --i) {
    b[i] /= static_cast<double>(l(i, i));
    add_to(-b[i], l.row(i).first(at(i)), b);
  }
}

void solve_several(ConstMatrixView l, BasicMatrixView<double> b) {
  const auto divide = [&](std::int64_t i) {
    for (double& value : b.row(i)) value /= static_cast<double>(l(i, i));
  };
  for (std::int64_t i = 0; i < l.rows; ++i) {
    for (std::int64_t j = 0; j < i; ++j)
      subtract_numbers(static_cast<double>(l(i, j)), b.row(j).data(), b.row(i).data(), b.cols);
    divide(i);
  }
  for (std::int64_t i = l.rows - 1; i >= 0; --i) {
    divide(i);
    for (std::int64_t j = 0; j < i; ++j)
      subtract_numbers(static_cast<double>(l(i, j)), b.row(i).data(), b.row(j).data(), b.cols);
  }
}

}  // namespace

bool cholesky(BasicMatrixView<double> a) {
  double inverse[kFactorBlock * kFactorBlock];
  return factor_in_blocks(a, [&](std::int64_t, std::int64_t size) {
    std::fill_n(inverse, size * size, 0.0);
    return BasicMatrixView<double>{inverse, size, size, size};
  });
}

void solve_by_factor(ConstMatrixView l, BasicMatrixView<double> b) {
  assert(l.rows == l.cols && b.rows == l.rows);
  if (b.cols == 1 && b.stride == 1) {
    solve_one(l, b.data);
  } else {
    solve_several(l, b);
  }
}

bool invert_factor(BasicMatrixView<float> a, BasicMatrixView<float> x) { return invert_in_blocks(a, x); }
bool invert_factor(BasicMatrixView<double> a, BasicMatrixView<double> x) { return invert_in_blocks(a, x); }

}  // namespace heatfront
