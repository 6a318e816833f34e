// SPDX-License-Identifier: MIT
#include "heatfront/base/sparse_product.h"

#include <algorithm>
#include <cassert>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::int64_t kPanelBytes = 1024 << 10;  // of d, that one pass reads again and again
constexpr std::int64_t kWidestPanel = 64;

// The first W columns of out_i: the sums stay in registers. W is a multiple of 8, or 4. Narrow panels take several
// entries at a time, because an addition alone takes longer than to load the next row.
template <std::int64_t W, bool weighted>
[[gnu::always_inline]] inline void panel_row(const SparseView& s, ConstMatrixView d, const Real* bias,
                                             Real* out, std::int64_t i) {
  using Vector = std::conditional_t<W % 8 == 0, Vector8, Vector4>;
  constexpr std::size_t kLanes = W % 8 == 0 ? 8 : 4;
  constexpr std::size_t kVectors = static_cast<std::size_t>(W) / kLanes;
  constexpr std::size_t kAtOnce = kVectors <= 2 ? 4 : kVectors <= 4 ? 2 : 1;
  Vector sums[kAtOnce][kVectors];
  unrolled<kAtOnce * kVectors>([&](auto n) __attribute__((always_inline)) {
    sums[n / kVectors][n % kVectors] = Vector{};
  });
  if (bias != nullptr)
    unrolled<kVectors>([&](auto j) __attribute__((always_inline)) { load(bias + j * kLanes, sums[0][j]); });
  const auto add = [&](std::int64_t k, auto part) __attribute__((always_inline)) {
    const Real* row = d.data + s.columns[k] * d.stride;
    unrolled<kVectors>([&](auto j) __attribute__((always_inline)) {
      Vector value;
      load(row + j * kLanes, value);
      if constexpr (weighted) {
        sums[part][j] += s.values[k] * value;
      } else {
        sums[part][j] += value;
      }
    });
  };
  std::int64_t k = s.begins[i];
  const std::int64_t end = s.ends[i];
  constexpr auto kStep = static_cast<std::int64_t>(kAtOnce);
  for (; k + kStep <= end; k += kStep) {
    unrolled<kAtOnce>([&](auto part) __attribute__((always_inline)) {
      add(k + static_cast<std::int64_t>(part()), part);
    });
  }
  for (; k < end; ++k) add(k, std::integral_constant<std::size_t, 0>{});
  unrolled<kVectors>([&](auto j) __attribute__((always_inline)) {
    for (std::size_t part = 1; part < kAtOnce; ++part) sums[0][j] += sums[part][j];
    store(sums[0][j], out + j * kLanes);
  });
}

// d, bias and out begin at the panel's first column; d.cols is its width, a multiple of 4.
template <bool weighted>
[[gnu::always_inline]] inline void panel_rows(const SparseView s, ConstMatrixView d, const Real* bias,
                                              MatrixView out, std::int64_t begin, std::int64_t end) {
  const auto pass = [&]<std::int64_t W>() __attribute__((always_inline)) {
    for (; d.cols >= W; d.cols -= W) {
      for (std::int64_t i = begin; i < end; ++i)
        panel_row<W, weighted>(s, d, bias, out.data + i * out.stride, i);
      d.data += W;
      out.data += W;
      if (bias != nullptr) bias += W;
    }
  };
  pass.template operator()<64>();
  pass.template operator()<32>();
  pass.template operator()<16>();
  pass.template operator()<8>();
  pass.template operator()<4>();
}

HEATFRONT_CLONES void multiply_panel(const SparseView& s, ConstMatrixView d, const Real* bias, MatrixView out,
                                     std::int64_t begin, std::int64_t end) {
  if (s.values == nullptr) {
    panel_rows<false>(s, d, bias, out, begin, end);
  } else {
    panel_rows<true>(s, d, bias, out, begin, end);
  }
}

std::int64_t panel_width(ConstMatrixView d) {
  std::int64_t width = kWidestPanel;
  while (width > 16 && d.rows * width * static_cast<std::int64_t>(sizeof(Real)) > kPanelBytes) width /= 2;
  return width;
}

// Columns first … first + width − 1 as a matrix of their own.
ConstMatrixView columns_of(ConstMatrixView d, std::int64_t first, std::int64_t width) {
  return {d.data + first, d.rows, width, d.stride};
}

HEATFRONT_CLONES Real inner_product(const Real* a, const Real* b, std::int64_t width) {
  Vector8 sums[4] = {};
  std::int64_t j = 0;
  for (; j + 32 <= width; j += 32) {
    for (std::int64_t k = 0; k < 4; ++k) {
      Vector8 left, right;
      load(a + j + 8 * k, left);
      load(b + j + 8 * k, right);
      sums[k] += left * right;
    }
  }
  Vector4 rest = {};
  for (; j < width; j += 4) {
    Vector4 left, right;
    load(a + j, left);
    load(b + j, right);
    rest += left * right;
  }
  const Vector8 sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])) +
         ((rest[0] + rest[1]) + (rest[2] + rest[3]));
}

std::int64_t mean_row(const SparseView& s) { return s.rows == 0 ? 0 : s.entries() / s.rows + 1; }

}  // namespace

void sparse_times_dense(const SparseView& s, ConstMatrixView d, std::span<const Real> bias, MatrixView out,
                        Threads& threads) {
  assert(s.cols == d.rows && s.rows == out.rows && d.cols == out.cols);
  const std::int64_t columns = padded_width(out.cols), width = panel_width(d);
  const std::int64_t panels = (columns + width - 1) / width;
  const std::int64_t cost = (mean_row(s) + 2) * width;  // of a row of a panel
  const std::int64_t block = rows_at_once(s.rows, cost);
  const std::int64_t blocks = (s.rows + block - 1) / block;
  // Panel after panel, so that threads share the one that is in their cache.
  const std::int64_t at_once = rows_at_once(panels * blocks, cost * block);
  threads.for_blocks(panels * blocks, at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t first = task / blocks * width, row = task % blocks * block;
      MatrixView out_part = out;
      out_part.data += first;
      multiply_panel(s, columns_of(d, first, std::min(width, columns - first)),
                     bias.empty() ? nullptr : bias.data() + first, out_part, row,
                     std::min(row + block, s.rows));
    }
  });
}

void dense_products_at(const SparseView& s, ConstMatrixView a, ConstMatrixView b, Real* values,
                       Threads& threads) {
  assert(s.rows == a.rows && s.cols == b.rows && a.cols == b.cols);
  const std::int64_t width = padded_width(a.cols);
  threads.for_blocks(
      s.rows, rows_at_once(s.rows, mean_row(s) * width), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          for (std::int64_t k = s.begins[i]; k < s.ends[i]; ++k)
            values[k] = inner_product(a.data + i * a.stride, b.data + s.columns[k] * b.stride, width);
        }
      });
}

void sparse_times_sparse(const SparseView& s, const SparseView& d, MatrixView out, Threads& threads) {
  assert(s.cols == d.rows && s.rows == out.rows && d.cols == out.cols);
  const std::int64_t cost = out.stride / 8 + mean_row(s) * mean_row(d);
  threads.for_blocks(s.rows, rows_at_once(s.rows, cost), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Real* row = out.data + i * out.stride;
      std::fill_n(row, out.stride, Real(0));
      for (std::int64_t k = s.begins[i]; k < s.ends[i]; ++k) {
        const Real factor = s.values == nullptr ? Real(1) : s.values[k];
        const std::int64_t u = s.columns[k];
        for (std::int64_t l = d.begins[u]; l < d.ends[u]; ++l)
          row[d.columns[l]] += d.values == nullptr ? factor : factor * d.values[l];
      }
    }
  });
}

}  // namespace heatfront
