// SPDX-License-Identifier: MIT
#include "heatfront/nn/activation.h"

#include <array>

#include "heatfront/base/find_named.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

HEATFRONT_CLONES void relu_row(const Real* z, Real* a, std::int64_t width) {
  for (std::int64_t j = 0; j < width; ++j) a[j] = z[j] > 0 ? z[j] : Real(0);
}

HEATFRONT_CLONES void scaled_relu_row(const Real* z, const Real* factors, Real* a, std::int64_t width) {
  for (std::int64_t j = 0; j < width; ++j) {
    const Real scaled = z[j] * factors[j];
    a[j] = scaled > 0 ? scaled : Real(0);
  }
}

HEATFRONT_CLONES void scale_where_warm(const Real* __restrict a, Real scale, Real* __restrict d,
                                       std::int64_t width) {
  for (std::int64_t j = 0; j < width; ++j) d[j] *= a[j] > 0 ? scale : Real(0);
}

HEATFRONT_CLONES void elu_row(const Real* z, Real* a, std::int64_t width) {
  std::int64_t j = 0;
  for (; j + 8 <= width; j += 8) {
    Vector8 whole;
    load(z + j, whole);
    Vector8 below = whole > Vector8{} ? Vector8{} : whole;
    exponentiate_less_one(below);
    store(whole > Vector8{} ? whole : below, a + j);
  }
  for (; j < width; ++j) a[j] = activate(Activation::elu, z[j]);
}

HEATFRONT_CLONES void scale_by_elu_slope(const Real* __restrict a, Real* __restrict d, std::int64_t width) {
  for (std::int64_t j = 0; j < width; ++j) d[j] *= a[j] > 0 ? Real(1) : a[j] + 1;
}

}  // namespace

std::span<const ActivationName> activations() {
  static constexpr std::array<ActivationName, 2> kTable = {
      {{"relu", Activation::relu}, {"elu", Activation::elu}}};
  return kTable;
}

Activation activation_named(std::string_view name) {
  return find_named(activations(), name, "activation").activation;
}

void activate_row(Activation activation, const Real* z, Real* a, std::int64_t width) {
  if (activation == Activation::relu) return relu_row(z, a, width);
  elu_row(z, a, width);
}

void activate_row(Activation activation, const Real* z, const Real* factors, Real* a, std::int64_t width) {
  if (activation == Activation::relu) return scaled_relu_row(z, factors, a, width);
  for (std::int64_t j = 0; j < width; ++j) a[j] = z[j] * factors[j];
  elu_row(a, a, width);
}

void activate(Activation activation, ConstMatrixView z, MatrixView a, Threads& threads) {
  threads.for_blocks(z.rows, rows_at_once(z.rows, z.cols), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u)
      activate_row(activation, z.data + u * z.stride, a.data + u * a.stride, z.cols);
  });
}

void activate_backward(Activation activation, ConstMatrixView a, MatrixView d, Threads& threads) {
  threads.for_blocks(a.rows, rows_at_once(a.rows, a.cols), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      const Real* value = a.data + u * a.stride;
      Real* row = d.data + u * d.stride;
      if (activation == Activation::relu) {
        relu_slope_row(value, 1, row, a.cols);
      } else {
        scale_by_elu_slope(value, row, a.cols);
      }
    }
  });
}

void relu_slope_row(const Real* a, Real scale, Real* d, std::int64_t width) {
  scale_where_warm(a, scale, d, width);
}

}  // namespace heatfront
