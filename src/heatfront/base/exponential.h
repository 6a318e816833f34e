// SPDX-License-Identifier: MIT
// e^x and e^x − 1 for x ≤ 0, without calls and branches, for one number or a Vector8 of them (base/simd.h):
//
//     x = k ln 2 + r, |r| ≤ ½ ln 2:   e^x − 1 = 2^k (e^r − 1) + (2^k − 1),   e^r − 1 = r + r²/2 + … + r^7/5040
//
// Both are within 2e-7 of themselves; below −87, where single precision ends, e^x is 0. In double precision they are
// the standard library's. exponentiate_finely is e^x in double precision whatever Real is, with terms to r^13: within
// 3e-16 of itself, the same bits for one number and for a vector; below −708 it is 0.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "heatfront/base/simd.h"
#include "heatfront/base/types.h"

namespace heatfront {

// x is clipped at −87, power becomes 2^k and rest e^r − 1.
template <class T>
[[gnu::always_inline]] inline void split_exponential(T& x, T& power, T& rest) {
  using Bits8 [[gnu::vector_size(8 * sizeof(std::uint32_t))]] = std::uint32_t;
  using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, Bits8>;
  constexpr float kToInteger =
      12582912;  // 1.5·2^23: a sum with it is rounded, and its lowest bits are those of k
  constexpr float kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;  // high·k is exact
  const T lowest = T{} - 87.0F;
  x = x > lowest ? x : lowest;
  const T shifted = x * 1.44269504F + kToInteger, k = shifted - kToInteger;
  Bits bits;
  static_assert(sizeof(Bits) == sizeof(T));
  __builtin_memcpy(&bits, &shifted, sizeof(T));
  bits = (bits << 23U) + 0x3F800000U;
  __builtin_memcpy(&power, &bits, sizeof(T));
  const T r = (x - k * kLn2High) - k * kLn2Low;
  const T square = r * r;
  const T low = r * (1 / 6.0F) + 0.5F, middle = r * (1 / 120.0F) + 1 / 24.0F,
          high = r * (1 / 5040.0F) + 1 / 720.0F;
  rest = r + square * (low + square * (middle + square * high));
}

// x ← e^x
template <class T>
[[gnu::always_inline]] inline void exponentiate(T& x) {
  if constexpr (std::is_same_v<T, double>) {
    x = std::exp(x);
  } else if constexpr (std::is_same_v<Real, double> && !std::is_same_v<T, float>) {
    for (std::size_t i = 0; i < sizeof(T) / sizeof(Real); ++i) x[i] = std::exp(x[i]);
  } else {
    const T whole = x;
    T power, rest;
    split_exponential(x, power, rest);
    x = whole < x ? T{} : power + power * rest;
  }
}

// x ← e^x, for a double or a vector of eight.
template <class T>
[[gnu::always_inline]] inline void exponentiate_finely(T& x) {
  using Bits8 [[gnu::vector_size(8 * sizeof(std::uint64_t))]] = std::uint64_t;
  using Bits = std::conditional_t<std::is_same_v<T, double>, std::uint64_t, Bits8>;
  constexpr double kToInteger = 0x1.8p52;  // as above: a sum with it is rounded to a whole number
  constexpr double kLn2High = 6.93147180369123816490e-01,
                   kLn2Low = 1.90821492927058770002e-10;  // high·k is exact
  constexpr double kLowest = -708;
  const T whole = x, lowest = T{} + kLowest;
  x = x > lowest ? x : lowest;
  const T shifted = x * 1.4426950408889634 + kToInteger, k = shifted - kToInteger;
  Bits bits;
  static_assert(sizeof(Bits) == sizeof(T));
  __builtin_memcpy(&bits, &shifted, sizeof(T));
  bits = (bits << 52U) + 0x3FF0000000000000U;
  T power;
  __builtin_memcpy(&power, &bits, sizeof(T));
  const T r = (x - k * kLn2High) - k * kLn2Low;
  const T square = r * r, fourth = square * square;
  const T low = (r * (1 / 6.0) + 0.5) + square * (r * (1 / 120.0) + 1 / 24.0);
  const T middle = (r * (1 / 5040.0) + 1 / 720.0) + square * (r * (1 / 362880.0) + 1 / 40320.0);
  const T high = (r * (1 / 39916800.0) + 1 / 3628800.0) + square * (r * (1 / 6227020800.0) + 1 / 479001600.0);
  const T rest = r + square * (low + fourth * (middle + fourth * high));
  x = whole < lowest ? T{} : power + power * rest;
}

// x ← e^x − 1
template <class T>
[[gnu::always_inline]] inline void exponentiate_less_one(T& x) {
  if constexpr (std::is_same_v<T, double>) {
    x = std::expm1(x);
  } else if constexpr (std::is_same_v<Real, double> && !std::is_same_v<T, float>) {
    for (std::size_t i = 0; i < sizeof(T) / sizeof(Real); ++i) x[i] = std::expm1(x[i]);
  } else {
    T power, rest;
    split_exponential(x, power, rest);
    x = power * rest + (power - 1.0F);
  }
}

}  // namespace heatfront
