// SPDX-License-Identifier: MIT
// Sums over neighbourhoods in which every slot (graph/degree_pairs.h) has a weight w_k for each of K blocks, some rows
// at a time; rows are written by who has them in his range.
#pragma once

#include <cstdint>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct MixtureKernel {
  const Graph& graph;
  const std::int32_t* pairs;  // of the slots
  const Real* weights;        // w: pairs × K
  std::int64_t blocks;        // K
  std::int64_t width;         // of a block, a multiple of 4
};

// out_u ← Σ_v Σ_k w_k(u, v) z_v^k            z has K·width columns, out has width
void mix_rows(const MixtureKernel& kernel, ConstMatrixView z, MatrixView out, std::int64_t begin,
              std::int64_t end);

// The way back; the weights are those of the mirrored pairs, so that w(v, u) here is w(u, v) there:
//
//     d_z_v^k ← Σ_u w_k(v, u) d_out_u,   d_slots_k(v, u) ← ⟨d_out_u, z_v^k⟩
//
// for those u that have a row in d_out, which are the first nodes; other slots are left alone.
void pull_mixed_rows(const MixtureKernel& kernel, ConstMatrixView z, ConstMatrixView d_out, MatrixView d_z,
                     Real* d_slots, std::int64_t begin, std::int64_t end);

}  // namespace heatfront
