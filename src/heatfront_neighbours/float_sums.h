// SPDX-License-Identifier: MIT
// Sums in single precision, good enough to find candidates, in many sums that take turns: room for vector instructions.
// Inlined into functions marked HEATFRONT_CLONES.
#pragma once

#include <cstddef>

namespace heatfront::knn {

inline constexpr std::size_t kFloatSums = 64;

[[gnu::always_inline]] inline float added_up(float (&sums)[kFloatSums]) {
  for (std::size_t half = kFloatSums / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return sums[0];
}

// Σ x_i y_i
[[gnu::always_inline]] inline float quick_product(const float* x, const float* y, std::size_t size) {
  float sums[kFloatSums] = {};
  std::size_t i = 0;
  for (; i + kFloatSums <= size; i += kFloatSums) {
    for (std::size_t j = 0; j < kFloatSums; ++j) sums[j] += x[i + j] * y[i + j];
  }
  for (std::size_t j = 0; i + j < size; ++j) sums[j] += x[i + j] * y[i + j];
  return added_up(sums);
}

// Σ (x_i − y_i)²
[[gnu::always_inline]] inline float quick_squared_distance(const float* x, const float* y, std::size_t size) {
  float sums[kFloatSums] = {};
  std::size_t i = 0;
  for (; i + kFloatSums <= size; i += kFloatSums) {
    for (std::size_t j = 0; j < kFloatSums; ++j) sums[j] += (x[i + j] - y[i + j]) * (x[i + j] - y[i + j]);
  }
  for (std::size_t j = 0; i + j < size; ++j) sums[j] += (x[i + j] - y[i + j]) * (x[i + j] - y[i + j]);
  return added_up(sums);
}

}  // namespace heatfront::knn
