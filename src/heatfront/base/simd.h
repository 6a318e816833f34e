// SPDX-License-Identifier: MIT
// One binary that is fast on AVX2 and AVX-512 machines and still runs on plain x86-64: the compiler makes a
// copy of each marked function for each of them, and the loader picks. Contraction to fused multiply-add is
// off for the whole library, so all copies give the same bits. (The sanitizers cannot run before the loader's
// choice, so they see one copy.)
#pragma once

#include "heatfront/base/types.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(HEATFRONT_ONE_COPY)
#define HEATFRONT_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define HEATFRONT_CLONES
#endif

namespace heatfront {

// Four and eight numbers in a row, at addresses aligned for four.
using Vector4 [[gnu::vector_size(4 * sizeof(Real)), gnu::may_alias]] = Real;
using Vector8 [[gnu::vector_size(8 * sizeof(Real)), gnu::may_alias, gnu::aligned(4 * sizeof(Real))]] = Real;

}  // namespace heatfront
