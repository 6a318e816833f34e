// SPDX-License-Identifier: MIT
// Activations, by their value: a = σ(z), and ∂a/∂z from a alone.
//
//     relu   a = max(z, 0)                    ∂a/∂z = [a > 0]
//     elu    a = z > 0 ? z : e^z − 1          ∂a/∂z = a > 0 ? 1 : a + 1
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "heatfront/base/exponential.h"
#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"

namespace heatfront {

enum class Activation { relu, elu };

struct ActivationName {
  std::string_view name;
  Activation activation;
};
std::span<const ActivationName> activations();
Activation activation_named(std::string_view name);  // Error lists the right ones

inline Real activate(Activation activation, Real z) {
  if (activation == Activation::relu) return z > 0 ? z : Real(0);
  Real below = z > 0 ? Real(0) : z;
  exponentiate_less_one(below);
  return z > 0 ? z : below;
}

inline Real slope_at(Activation activation, Real a) {
  if (activation == Activation::relu) return a > 0 ? Real(1) : Real(0);
  return a > 0 ? Real(1) : a + 1;
}

// a ← σ(z) and a ← σ(z ∘ factors), a row at a time; z and a may be the same.
void activate_row(Activation activation, const Real* z, Real* a, std::int64_t width);
void activate_row(Activation activation, const Real* z, const Real* factors, Real* a, std::int64_t width);

// Whole layers: a ← σ(z), where a may be z, and on the way back d ← d ∘ σ'.
void activate(Activation activation, ConstMatrixView z, MatrixView a, Threads& threads);
void activate_backward(Activation activation, ConstMatrixView a, MatrixView d, Threads& threads);

// d ← d·scale where a > 0, else 0: the way back through relu and the dropout before it.
void relu_slope_row(const Real* a, Real scale, Real* d, std::int64_t width);

}  // namespace heatfront
