// SPDX-License-Identifier: MIT
#include "heatfront/models/layers/mixture_rows.h"

#include <algorithm>
#include <type_traits>

#include "heatfront/base/simd.h"
#include "heatfront/graph/degree_pairs.h"

namespace heatfront {
namespace {

template <class Vector>
struct WordOf {
  using Word = Vector;
};

// `width` is a constant where it is one of those that occur most, and then blocks go by words of eight where they can.
template <class Run>
[[gnu::always_inline]] inline void with_width(std::int64_t width, const Run& run) {
  if (width == 4) return run(std::integral_constant<std::int64_t, 4>{}, WordOf<Vector4>{});
  if (width == 8) return run(std::integral_constant<std::int64_t, 8>{}, WordOf<Vector8>{});
  if (width == 16) return run(std::integral_constant<std::int64_t, 16>{}, WordOf<Vector8>{});
  return run(width, WordOf<Vector4>{});
}

// y ← y + factor·x
template <class Word>
[[gnu::always_inline]] inline void add_scaled(Real factor, const Real* x, Real* y, std::int64_t width) {
  for (std::int64_t j = 0; j < width; j += static_cast<std::int64_t>(sizeof(Word) / sizeof(Real))) {
    Word from, to;
    load(x + j, from);
    load(y + j, to);
    to += factor * from;
    store(to, y + j);
  }
}

template <class Word>
[[gnu::always_inline]] inline Real dot(const Real* x, const Real* y, std::int64_t width) {
  Word sums = {};
  for (std::int64_t j = 0; j < width; j += static_cast<std::int64_t>(sizeof(Word) / sizeof(Real))) {
    Word left, right;
    load(x + j, left);
    load(y + j, right);
    sums += left * right;
  }
  const Real four = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if constexpr (sizeof(Word) == sizeof(Vector4)) {
    return four;
  } else {
    return four + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }
}

HEATFRONT_CLONES void mix(const MixtureKernel& kernel, ConstMatrixView z, MatrixView out, std::int64_t begin,
                          std::int64_t end) {
  with_width(
      kernel.width, [&](auto width, auto of) __attribute__((always_inline)) {
        for (NodeId u = static_cast<NodeId>(begin); u < end; ++u) {
          Real* out_u = out.data + u * out.stride;
          std::fill_n(out_u, out.stride, Real(0));
          for_slots(
              kernel.graph, u, [&](NodeId v, std::int64_t slot) __attribute__((always_inline)) {
                const Real* w = kernel.weights + kernel.pairs[slot] * kernel.blocks;
                const Real* z_v = z.data + v * z.stride;
                for (std::int64_t k = 0; k < kernel.blocks; ++k)
                  add_scaled<typename decltype(of)::Word>(w[k], z_v + k * width, out_u, width);
              });
        }
      });
}

HEATFRONT_CLONES void pull(const MixtureKernel& kernel, ConstMatrixView z, ConstMatrixView d_out,
                           MatrixView d_z, Real* d_slots, std::int64_t begin, std::int64_t end) {
  with_width(
      kernel.width, [&](auto width, auto of) __attribute__((always_inline)) {
        for (NodeId v = static_cast<NodeId>(begin); v < end; ++v) {
          const Real* z_v = z.data + v * z.stride;
          Real* d_z_v = d_z.data + v * d_z.stride;
          std::fill_n(d_z_v, d_z.stride, Real(0));
          for_slots(
              kernel.graph, v, [&](NodeId u, std::int64_t slot) __attribute__((always_inline)) {
                if (u >= d_out.rows) return;
                const Real* w = kernel.weights + kernel.pairs[slot] * kernel.blocks;
                const Real* d_out_u = d_out.data + u * d_out.stride;
                for (std::int64_t k = 0; k < kernel.blocks; ++k) {
                  add_scaled<typename decltype(of)::Word>(w[k], d_out_u, d_z_v + k * width, width);
                  d_slots[slot * kernel.blocks + k] =
                      dot<typename decltype(of)::Word>(d_out_u, z_v + k * width, width);
                }
              });
        }
      });
}

}  // namespace

void mix_rows(const MixtureKernel& kernel, ConstMatrixView z, MatrixView out, std::int64_t begin,
              std::int64_t end) {
  mix(kernel, z, out, begin, end);
}

void pull_mixed_rows(const MixtureKernel& kernel, ConstMatrixView z, ConstMatrixView d_out, MatrixView d_z,
                     Real* d_slots, std::int64_t begin, std::int64_t end) {
  pull(kernel, z, d_out, d_z, d_slots, begin, end);
}

}  // namespace heatfront
