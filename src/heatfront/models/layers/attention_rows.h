// SPDX-License-Identifier: MIT
// Graph attention (graph_attention.h has the formulas), some rows at a time: no threads, no dropout of its own. Every
// function writes the rows of its range alone, but for pull_rows(), which writes the slots that point to them.
#pragma once

#include <cstdint>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"
#include "heatfront/models/layers/graph_attention.h"

namespace heatfront {

struct AttentionKernel {
  const Graph& graph;
  const GraphAttentionOptions& options;
  const Real *receiver, *sender;  // a and a'
};

struct RowRange {
  std::int64_t begin, end;
};

// s_u ← ⟨a, z_u⟩ and r_u ← ⟨a', z_u⟩, a head at a time.
void score_rows(const AttentionKernel& kernel, ConstMatrixView z, MatrixView s, MatrixView r, RowRange rows);

// out_u ← Σ_v m_uv α_uv z_v. `attention` has the factors m of all slots and gets α, negative where m is 0; none: nothing
// is dropped, nor written down.
void average_rows(const AttentionKernel& kernel, ConstMatrixView z, ConstMatrixView s, ConstMatrixView r,
                  Real* attention, MatrixView out, RowRange rows);

// d_total_u ← Σ_v α_uv ∂L/∂α_uv = ⟨∂L/∂out_u, out_u⟩, a head at a time.
void total_rows(const AttentionKernel& kernel, ConstMatrixView out, ConstMatrixView d_out, MatrixView d_total,
                RowRange rows);

// For the nodes v of the range and all u that average them, the first d_out.rows at most, with z already m_v ∘ z_v, and `scale` what m_uv is if it
// is not 0:
//
//     d_z_v ← Σ_u m_uv α_uv ∂L/∂out_u
//     ∂L/∂e_uv = α_uv (m_uv ⟨∂L/∂out_u, z_v⟩ − d_total_u),   d_r_v ← Σ_u ∂L/∂e_uv leaky'(s_u + r_v)
//
// What is summed up for d_r_v takes the place of α_uv.
void pull_rows(const AttentionKernel& kernel, const ArcId* reverse, Real scale, ConstMatrixView d_out,
               GraphAttention::StepWorkspace& work, MatrixView d_z, RowRange rows);

// The way through the scores: with d_s_u = Σ_v ∂L/∂e_uv leaky'
//
//     d_z_u += a d_s_u + a' d_r_u,   d_a += Σ_u z_u d_s_u,   d_a' += Σ_u z_u d_r_u
//
// where d_s_u is 0 but for the first work.d_total.rows() nodes.
void add_score_gradients(const AttentionKernel& kernel, ConstMatrixView z,
                         const GraphAttention::StepWorkspace& work, MatrixView d_z, Real* d_receiver,
                         Real* d_sender, RowRange rows);

}  // namespace heatfront
