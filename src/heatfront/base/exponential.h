// SPDX-License-Identifier: MIT
// e^x and e^x − 1 for x ≤ 0, without calls and branches, so that loops over them go into the vector units:
//
//     x = k ln 2 + r, |r| ≤ ½ ln 2:   e^x − 1 = 2^k (e^r − 1) + (2^k − 1),   e^r − 1 = r + r²/2 + … + r^7/5040
//
// Both are within 2e-7 of themselves; below −87, where single precision ends, e^x is 0. In double precision they are
// the library's own.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "heatfront/base/types.h"

namespace heatfront {

struct PowerOfTwoAndRest {
  float power;  // 2^k
  float rest;   // e^r − 1
};

inline PowerOfTwoAndRest split_exponential(float x) {
  constexpr float kToInteger = 12582912;  // 1.5·2^23: what is added to it and taken away again is rounded
  constexpr float kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;  // high·k is exact
  x = x > -87 ? x : -87.0F;
  const float k = (x * 1.44269504F + kToInteger) - kToInteger;
  const float r = (x - k * kLn2High) - k * kLn2Low;
  float series = 1 / 720.0F + r * (1 / 5040.0F);
  series = 1 / 120.0F + r * series;
  series = 1 / 24.0F + r * series;
  series = 1 / 6.0F + r * series;
  series = 0.5F + r * series;
  return {.power = std::bit_cast<float>((static_cast<std::int32_t>(k) + 127) * (1 << 23)),
          .rest = r + r * r * series};
}

inline float exp_of_negative(float x) {
  const PowerOfTwoAndRest parts = split_exponential(x);
  return x > -87 ? parts.power + parts.power * parts.rest : 0.0F;
}

inline float expm1_of_negative(float x) {
  const PowerOfTwoAndRest parts = split_exponential(x);
  return parts.power * parts.rest + (parts.power - 1);
}

inline double exp_of_negative(double x) { return std::exp(x); }
inline double expm1_of_negative(double x) { return std::expm1(x); }

}  // namespace heatfront
