// SPDX-License-Identifier: MIT
// Gaussian mixture convolution (Monti et al., 2017: MoNet), forward and backward. With z = (z^1 … z^K) (n × K·width, a
// block a kernel: the linear map of what a layer sees)
//
//     out_u = c_u Σ_v Σ_k g_k(q_uv) z_v^k                     v: u's neighbours and u itself
//     g_k(q) = exp(−½ Σ_j τ_kj² (q_j − μ_kj)²)                c_u = 1, or 1/d_u for means
//     q_uv = tanh(p_uv P + b),   p_uv = (1/√d_u, 1/√d_v)      d: degree, the loop counted
//
// out may have fewer rows than z, and these fewer than the graph has nodes: then only the first nodes sum up, and their
// neighbours have to be among the rows of z.
//
// Edges weigh alike: the weights of a data set play no part. c g is the same for all arcs between nodes of the same
// degrees: it is a table by pair of degrees (graph/degree_pairs.h), made once for judging and a training step.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/degree_pairs.h"
#include "heatfront/graph/graph.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

struct GaussianMixtureOptions {
  std::int64_t kernels = 3;
  std::int64_t width = 16;
  bool mean = false;  // of the neighbourhood, not its sum
};

OptionFields fields(GaussianMixtureOptions& options);

class GaussianMixture {
 public:
  // Adds its parameters to the layout: NAME.projection (P, 2 × 2), NAME.offset (b, 1 × 2), NAME.mean (μ, K × 2) and
  // NAME.sharpness (τ, K × 2). The pairs are lent; those that come with a graph below have the same degrees.
  GaussianMixture(const DegreePairs& pairs, const GaussianMixtureOptions& options, const std::string& name,
                  ParameterLayout& layout);

  // P and b: U(±1/√2); μ: normal with deviation 0.1; τ = 1.
  void initialise(const Random& random, std::span<Real> parameters) const;

  struct Weights {
    std::vector<double> q;          // pairs × 2
    std::vector<double> g;          // pairs × K: c g
    std::vector<Real> forth, back;  // the same as forward() and, of the mirrored pairs, as backward() read it
  };
  Weights weights() const;
  void weigh(std::span<const Real> parameters, Weights& weights, Threads& threads) const;

  // z in blocks that are padded to whole words. Not used, and without rows, where they are so of themselves.
  struct JudgeWorkspace {
    Matrix z;
  };
  struct StepWorkspace {
    Matrix z, d_z;
    std::vector<Real> d_slots;    // slots × K: ∂L/∂(c g) of the slot's mirror
    std::vector<double> d_pairs;  // pairs × K: the same, summed
    std::vector<std::array<double, 2>> d_mean, d_sharpness;
  };
  JudgeWorkspace judge_workspace(std::int64_t rows) const;
  StepWorkspace step_workspace(const DegreePairs& pairs, std::int64_t rows) const;

  struct Slots {  // lent
    const Graph& graph;
    const DegreePairs& pairs;
  };

  // z → out (width columns). Padding of rows, here and below, is 0 and stays so.
  void judge(const Slots& slots, ConstMatrixView z, const Weights& weights, JudgeWorkspace& work,
             MatrixView out, Threads& threads) const;
  void forward(const Slots& slots, ConstMatrixView z, const Weights& weights, StepWorkspace& work,
               MatrixView out, Threads& threads) const;

  // After forward(): ∂L/∂out → ∂L/∂z and the gradient, written at the layer's parameters.
  void backward(const Slots& slots, ConstMatrixView z, const Weights& weights,
                std::span<const Real> parameters, ConstMatrixView d_out, StepWorkspace& work, MatrixView d_z,
                std::span<Real> gradient, Threads& threads) const;

 private:
  std::int64_t block() const;  // from one z^k to the next, inside
  bool repacks() const { return block() != options_.width && options_.kernels > 1; }
  ConstMatrixView packed(ConstMatrixView z, Matrix& store, Threads& threads) const;
  void average(const Slots& slots, ConstMatrixView z, const Weights& weights, MatrixView out,
               Threads& threads) const;
  void sum_pairs(const DegreePairs& pairs, StepWorkspace& work, Threads& threads) const;
  void parameter_gradient(const Weights& weights, std::span<const Real> parameters, StepWorkspace& work,
                          std::span<Real> gradient) const;

  const DegreePairs& pairs_;
  GaussianMixtureOptions options_;
  Parameter projection_, offset_, mean_, sharpness_;
};

}  // namespace heatfront
