// SPDX-License-Identifier: MIT
// Graph attention (Veličković et al., 2018), forward and backward. With z (n × heads·width, heads side by side: the
// linear map of what a layer sees) and two vectors a, a' a head, in each head
//
//     e_uv = leaky(s_u + r_v),   s_u = ⟨a, z_u⟩,   r_v = ⟨a', z_v⟩           leaky(x) = x > 0 ? x : slope·x
//     α_uv = e^{e_uv} / Σ_w e^{e_uw}                                         v, w: u's neighbours and u itself
//     out_u = Σ_v m_uv α_uv (m_v ∘ z_v)                                      m: factors of dropout, 1 when judging
//
// Edges weigh alike: the weights of a data set play no part. A slot is an arc or the loop of a node: those of u are
// offsets[u] + u … offsets[u+1] + u, the loop first.
//
// out may have fewer rows than z, and these fewer than the graph has nodes: then only the first nodes average, and
// their neighbours have to be among the rows of z.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/graph.h"
#include "heatfront/nn/dropout.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

struct GraphAttentionOptions {
  std::int64_t heads = 8;          // at most kMostHeads
  std::int64_t width = 8;          // of a head
  double slope = 0.2;              // of leaky, below 0
  double attention_dropout = 0.6;  // of α
  double feature_dropout = 0.6;    // of the z that are averaged
};

OptionFields fields(GraphAttentionOptions& options);

struct AttentionKernel;  // attention_rows.h

class GraphAttention {
 public:
  static constexpr std::int64_t kMostHeads = 64;

  // Adds its parameters to the layout: NAME.receiver (a) and NAME.sender (a'), 1 × heads·width each.
  GraphAttention(const GraphAttentionOptions& options, const std::string& name, ParameterLayout& layout);

  // glorot, each head for itself: U(±√(6/(width + 1))).
  void initialise(const Random& random, std::span<Real> parameters) const;

  struct JudgeWorkspace {
    Matrix s, r;  // (rows of z × heads)
  };
  struct StepWorkspace {
    Matrix s, r;  // (rows of z × heads)
    Matrix z;     // m ∘ z (rows of z × heads·width)
    std::vector<Real>
        attention;     // slots × heads: α, negative where dropped; after backward() ∂L/∂(s_u + r_v)
    Matrix d_r;        // ∂L/∂r_v (rows of z × heads)
    Matrix d_total;    // Σ_v α_uv ∂L/∂α_uv (rows of out × heads)
    Matrix d_vectors;  // of a and a' side by side, a row for each block of nodes
    std::uint64_t seed = 0;
  };
  JudgeWorkspace judge_workspace(std::int64_t rows) const;
  StepWorkspace step_workspace(const Graph& graph, std::int64_t rows, std::int64_t rows_out) const;

  // Without dropout: z → out (heads·width columns each). Padding of rows, here and below, is 0 and stays so.
  void judge(const Graph& graph, ConstMatrixView z, std::span<const Real> parameters, JudgeWorkspace& work,
             MatrixView out, Threads& threads) const;

  // With the dropout of `seed`.
  void forward(const Graph& graph, ConstMatrixView z, std::span<const Real> parameters, std::uint64_t seed,
               StepWorkspace& work, MatrixView out, Threads& threads) const;

  // After forward(), once: ∂L/∂out → ∂L/∂z and the gradient, written at the layer's parameters. `out` is as
  // forward() left it; `reverse` as reverse_arcs() gives it.
  void backward(const Graph& graph, std::span<const ArcId> reverse, ConstMatrixView z, ConstMatrixView out,
                std::span<const Real> parameters, ConstMatrixView d_out, StepWorkspace& work, MatrixView d_z,
                std::span<Real> gradient, Threads& threads) const;

 private:
  std::int64_t cols() const { return options_.heads * options_.width; }
  AttentionKernel kernel(const Graph& graph, std::span<const Real> parameters) const;
  void draw_attention(StepWorkspace& work, Threads& threads) const;

  GraphAttentionOptions options_;
  Dropout attention_dropout_, feature_dropout_;
  Parameter receiver_, sender_;
};

}  // namespace heatfront
