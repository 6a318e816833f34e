// SPDX-License-Identifier: MIT
// A linear layer, and its way back:
//
//     z = x W + b,      ∂L/∂W = xᵀ ∂L/∂z,   ∂L/∂b = Σ_u ∂L/∂z_u,   ∂L/∂x = ∂L/∂z Wᵀ
//
// x may be data (dense or sparse), what dropout left of them, or a hidden state.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/nn/network_input.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

// How weights of a linear map from `in` to `out` units begin:
//
//     kaiming   U(±1/√in)
//     glorot    U(±√(6/(in + out)))
enum class Initialiser { kaiming, glorot };

struct InitialiserName {
  std::string_view name;
  Initialiser initialiser;
};
std::span<const InitialiserName> initialisers();
Initialiser initialiser_named(std::string_view name);  // Error lists the right ones

double initial_bound(Initialiser initialiser, std::int64_t in, std::int64_t out);

// Evenly within ±bound.
void fill_uniform(const Random& random, double bound, MatrixView values);

enum class Bias { no, yes };

inline constexpr double kMostUnits = 1e6;  // of a layer: the products of widths stay countable

class Linear {
 public:
  // Adds NAME.weight (in × out) and NAME.bias to the layout.
  Linear(const std::string& name, std::int64_t in, std::int64_t out, Bias bias, ParameterLayout& layout);

  // The weights as named, the bias U(±1/√in), from parts `part` and `part` + 1 of the random numbers.
  void initialise(Initialiser initialiser, const Random& random, std::uint64_t part,
                  std::span<Real> parameters) const;

  void forward(const InputView& x, std::span<const Real> parameters, MatrixView z, Threads& threads) const;

  // Written at the layer's parameters.
  void backward(const InputView& x, ConstMatrixView dz, std::span<Real> gradient, Threads& threads) const;
  void backward_input(ConstMatrixView dz, std::span<const Real> parameters, MatrixView dx,
                      Threads& threads) const;

  std::int64_t in() const { return weight_.rows; }
  std::int64_t out() const { return weight_.cols; }
  const Parameter& weight() const { return weight_; }
  const Parameter& bias() const { return bias_; }  // without rows: there is none

 private:
  Parameter weight_, bias_;
};

}  // namespace heatfront
