// SPDX-License-Identifier: MIT
// The i-th random number is a function of (seed, i): the same for any number of threads and any order of
// asking.
//
//     bits(i) = mix(mix(seed) + i·φ)        mix: the finaliser of SplitMix64, φ = 2^64 / golden ratio
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace heatfront {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : start_(mix(seed)) {}

  constexpr std::uint64_t bits(std::uint64_t i) const { return mix(start_ + i * kGolden); }

  // In [0, 1), 53 bits.
  constexpr double uniform(std::uint64_t i) const { return static_cast<double>(bits(i) >> 11) * 0x1p-53; }

  // In 0 … n−1, n > 0, by the high half of a product; its bias is below n / 2^64.
  constexpr std::uint64_t below(std::uint64_t n, std::uint64_t i) const {
    return static_cast<std::uint64_t>((static_cast<Wide>(bits(i)) * n) >> 64);
  }

  // Standard normal by Box and Muller, from the numbers 2i and 2i + 1.
  double normal(std::uint64_t i) const {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(2 * i)));
    return radius * std::cos(2.0 * std::numbers::pi * uniform(2 * i + 1));
  }

  // An independent source for part k of the work.
  constexpr Random part(std::uint64_t k) const { return Random(bits(~k)); }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t start_;
};

}  // namespace heatfront
