// SPDX-License-Identifier: MIT
// Rows of heads·width numbers, heads side by side, and of one number per head: what graph attention does with them, for
// the shapes that are worth code of their own and for all others. For inlining into functions that are compiled for
// several machines (base/simd.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/simd.h"
#include "heatfront/models/layers/graph_attention.h"

namespace heatfront {

// Σ of the numbers of each of eight words: sums_h = Σ_j words_h[j].
[[gnu::always_inline]] inline void add_across(const Vector8 (&words)[8], Vector8& sums) {
  Vector8 pairs[4], fours[2];
  unrolled<4>([&](auto i) __attribute__((always_inline)) {
    const Vector8 &x = words[2 * i], &y = words[2 * i + 1];
    pairs[i] = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14) +
               __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
  });
  unrolled<2>([&](auto i) __attribute__((always_inline)) {
    const Vector8 &x = pairs[2 * i], &y = pairs[2 * i + 1];
    fours[i] = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13) +
               __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
  });
  sums = __builtin_shufflevector(fours[0], fours[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(fours[0], fours[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

// What the loops below know when they are compiled; 0: only when they run.
template <std::int64_t kHeads, std::int64_t kWidth>
struct AttentionShape {
  std::int64_t heads_now, width_now;

  std::int64_t heads() const { return kHeads > 0 ? kHeads : heads_now; }
  std::int64_t width() const { return kWidth > 0 ? kWidth : width_now; }

  // Where there is one number per head, eight heads are worked on at once.
  using Lanes = std::conditional_t<kHeads == 8, Vector8, Real>;
  static constexpr std::int64_t kRoom = kHeads > 0 ? kHeads : GraphAttention::kMostHeads;

  // each(h) for the first head of each Lanes.
  template <class Each>
  [[gnu::always_inline]] void for_heads(const Each& each) const {
    for (std::int64_t h = 0; h < heads(); h += static_cast<std::int64_t>(sizeof(Lanes) / sizeof(Real)))
      each(h);
  }

  using Word = std::conditional_t<kWidth == 8, Vector8, Vector4>;
  static constexpr auto kWord = static_cast<std::int64_t>(sizeof(Word) / sizeof(Real));

  // y ← factors ∘ y, a factor a head.
  [[gnu::always_inline]] void scale(const Real* factors, Real* y) const {
    for (std::int64_t h = 0; h < heads(); ++h, y += width()) {
      std::int64_t j = 0;
      for (; j + kWord <= width(); j += kWord) {
        Word word;
        load(y + j, word);
        word *= factors[h];
        store(word, y + j);
      }
      for (; j < width(); ++j) y[j] *= factors[h];
    }
  }

  // y ← y + factors ∘ x, a factor a head.
  [[gnu::always_inline]] void add_scaled(const Real* factors, const Real* x, Real* y) const {
    for (std::int64_t h = 0; h < heads(); ++h, x += width(), y += width()) {
      std::int64_t j = 0;
      for (; j + kWord <= width(); j += kWord) {
        Word from, to;
        load(x + j, from);
        load(y + j, to);
        to += factors[h] * from;
        store(to, y + j);
      }
      for (; j < width(); ++j) y[j] += factors[h] * x[j];
    }
  }

  // dots_h ← ⟨x_h, y_h⟩.
  [[gnu::always_inline]] void dots(const Real* x, const Real* y, Real* dots) const {
    if constexpr (kHeads == 8 && kWidth == 8) {
      Vector8 products[8], sums;
      unrolled<8>([&](auto h) __attribute__((always_inline)) {
        Vector8 left, right;
        load(x + 8 * h, left);
        load(y + 8 * h, right);
        products[h] = left * right;
      });
      add_across(products, sums);
      return store(sums, dots);
    }
    for (std::int64_t h = 0; h < heads(); ++h, x += width(), y += width()) {
      Vector4 sums = {};
      std::int64_t j = 0;
      for (; j + 4 <= width(); j += 4) {
        Vector4 left, right;
        load(x + j, left);
        load(y + j, right);
        sums += left * right;
      }
      Real sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      for (; j < width(); ++j) sum += x[j] * y[j];
      dots[h] = sum;
    }
  }
};

// The shapes of the original, by name. One head may take its padding along.
template <class Run>
[[gnu::always_inline]] inline void with_shape(const GraphAttentionOptions& options, const Run& run) {
  if (options.heads == 8 && options.width == 8) return run(AttentionShape<8, 8>{8, 8});
  if (options.heads == 8 && options.width == 3) return run(AttentionShape<8, 3>{8, 3});
  if (options.heads == 8) return run(AttentionShape<8, 0>{8, options.width});
  if (options.heads == 1) return run(AttentionShape<1, 0>{1, padded_width(options.width)});
  return run(AttentionShape<0, 0>{options.heads, options.width});
}

}  // namespace heatfront
