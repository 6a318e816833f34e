// SPDX-License-Identifier: MIT
// A multilayer perceptron, layer by layer
//
//     z_1 = x W_1 + b_1,   a_k = σ(dropout(z_k)),   z_{k+1} = a_k W_{k+1} + b_{k+1},   out = z_last
//
// (the paper's order: dropout first, then the activation; none after the last layer). Without dropout on the
// input, z_1 is the same in training and in judging: enter() makes it once for both. A layer that keeps few units
// in a step is a list of those alone, and the products around it do the work of the list only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront/nn/activation.h"
#include "heatfront/nn/dropout.h"
#include "heatfront/nn/linear.h"
#include "heatfront/nn/network_input.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

struct MlpOptions {
  std::vector<std::int64_t> hidden = {64};  // widths of the hidden layers
  std::vector<double> dropout = {0.5};      // one for each hidden layer, or one for all
  std::string activation = "relu";
  std::string initialiser = "kaiming";
};

OptionFields fields(MlpOptions& options);

class Mlp {
 public:
  // Adds its parameters to the layout: layerK.weight (in × out) and layerK.bias, after the prefix.
  Mlp(std::int64_t in, std::int64_t out, const MlpOptions& options, ParameterLayout& layout,
      std::string_view prefix = "");

  // kaiming: weights U(±1/√in); glorot: U(±√(6/(in + out))); biases U(±1/√in).
  void initialise(const Random& random, std::span<Real> parameters) const;

  std::int64_t entry_width() const { return layers_.front().linear.out(); }

  // z_1 (n × entry_width).
  void enter(const InputView& x, std::span<const Real> parameters, MatrixView z, Threads& threads) const;

  // What judging scribbles on, and what a training step leaves for its way back.
  struct JudgeWorkspace {
    std::vector<Matrix> activations;  // one a hidden layer
  };
  struct StepWorkspace {
    struct Hidden {
      Matrix a, d;  // a_k and ∂L/∂z_k, where the layer is not a list
      // Where it is one: the units of row u are begins[u] … ends[u]−1.
      std::vector<std::int64_t> begins, ends;
      std::vector<std::int32_t> units;
      std::vector<Real> values, d_values;
      Matrix weight_transposed, d_weight_transposed;  // of the layer that makes it
    };
    std::vector<Hidden> hidden;
    SparseMatrix transposed;
    std::uint64_t dropout_seed = 0;
    std::span<const NodeId> ids;  // by which dropout knows a row; empty: by its place

    std::int64_t id_of(std::int64_t u) const { return ids.empty() ? u : ids[at(u)]; }
  };
  JudgeWorkspace judge_workspace(std::int64_t rows) const;
  StepWorkspace step_workspace(std::int64_t rows, std::span<const NodeId> ids = {}) const;  // ids are lent

  // Without dropout: z_1 → out (n × C).
  void judge(ConstMatrixView z, std::span<const Real> parameters, JudgeWorkspace& work, MatrixView out,
             Threads& threads) const;

  // With the dropout of `seed`: z_1 → out.
  void forward(ConstMatrixView z, std::span<const Real> parameters, std::uint64_t seed, StepWorkspace& work,
               MatrixView out, Threads& threads) const;

  // ∂L/∂out → gradient, written at the network's parameters.
  void backward(const InputView& x, std::span<const Real> parameters, StepWorkspace& work,
                ConstMatrixView d_out, std::span<Real> gradient, Threads& threads) const;

 private:
  struct Layer {
    Linear linear;
    Dropout dropout;      // after it; hidden layers only
    bool listed = false;  // is its output a list of units?
  };

  std::size_t hidden_layers() const { return layers_.size() - 1; }
  void activate_layer(std::size_t k, ConstMatrixView z, std::span<const Real> bias, StepWorkspace& work,
                      Threads& threads) const;
  void list_units(std::size_t k, StepWorkspace& work, Threads& threads) const;
  void activate_list(std::size_t k, std::span<const Real> bias, StepWorkspace& work, Threads& threads) const;
  void weight_gradient(std::size_t k, const InputView& x, StepWorkspace& work, ConstMatrixView dz,
                       std::span<Real> gradient, Threads& threads) const;
  void input_gradient(std::size_t k, std::span<const Real> parameters, StepWorkspace& work,
                      ConstMatrixView dz, Threads& threads) const;

  std::vector<Layer> layers_;
  Activation activation_;
  Initialiser initialiser_;
};

}  // namespace heatfront
