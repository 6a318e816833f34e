// SPDX-License-Identifier: MIT
// One binary that is fast on AVX2 and AVX-512 machines and still runs on plain x86-64: the compiler makes a
// copy of each marked function for each of them, and the loader picks. Contraction to fused multiply-add is
// off for the whole library, so all copies give the same bits. (The sanitizers cannot run before the loader's
// choice, so they see one copy.) Marked functions stand in anonymous namespaces: where another file calls one, Clang 14
// calls its first copy, whatever the machine.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "heatfront/base/types.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(HEATFRONT_ONE_COPY)
#define HEATFRONT_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define HEATFRONT_CLONES
#endif

namespace heatfront {

// Four and eight numbers in a register. In memory numbers are only aligned for four, so they come and go by
// load() and store() and never through a reference.
using Vector4 [[gnu::vector_size(4 * sizeof(Real))]] = Real;
using Vector8 [[gnu::vector_size(8 * sizeof(Real))]] = Real;

template <class Vector>
[[gnu::always_inline]] inline void load(const Real* from, Vector& to) {
  __builtin_memcpy(&to, from, sizeof(Vector));
}

template <class Vector>
[[gnu::always_inline]] inline void store(const Vector& from, Real* to) {
  __builtin_memcpy(to, &from, sizeof(Vector));
}

// each(std::integral_constant<std::size_t, i>) for i = 0 … N−1, written out: arrays of vectors that are only touched
// so stay in registers.
template <std::size_t N, class Each>
[[gnu::always_inline]] inline void unrolled(const Each& each) {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    (each(std::integral_constant<std::size_t, I>{}), ...);
  }
  (std::make_index_sequence<N>{});
}

}  // namespace heatfront
