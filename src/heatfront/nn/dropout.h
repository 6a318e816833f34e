// SPDX-License-Identifier: MIT
// Dropout: a unit is kept with probability q and then scaled by 1/q. Which ones is a function of (seed, row,
// unit): 16 bits each of the random numbers of the row. q is rounded to a multiple of 2^−16, and what is kept is
// scaled by the rounded one, so the expectation is exact.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "heatfront/base/random.h"
#include "heatfront/base/types.h"

namespace heatfront {

class Dropout {
 public:
  // Each unit is dropped with probability `share`, in [0, 1).
  explicit Dropout(double share)
      : threshold_(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::lround((1 - share) * 65536)))) {
  }

  double keep() const { return static_cast<double>(threshold_) / 65536; }
  Real scale() const { return static_cast<Real>(65536 / static_cast<double>(threshold_)); }

  // factors[j] ← 1/q if unit j of the row is kept, else 0.
  void factors(const Random& random, std::int64_t row, std::span<Real> factors) const {
    const Real scale = this->scale();
    for_units(random, row, std::ssize(factors), [&](std::int64_t j, bool kept) {
      factors[static_cast<std::size_t>(j)] = kept ? scale : Real(0);
    });
  }

  // The kept ones of `width` units, ascending, into `units`; returns how many. `units`
  // has room for `width` rounded up to a multiple of 4. Quick where few are kept.
  std::int64_t kept(const Random& random, std::int64_t row, std::int64_t width, std::int32_t* units) const {
    constexpr std::uint64_t kOnes = 0x0001'0001'0001'0001u, kHighs = 0x8000'8000'8000'8000u;
    const auto words = static_cast<std::uint64_t>((width + 3) / 4);
    const std::uint64_t first = static_cast<std::uint64_t>(row) * words;
    std::int64_t count = 0;
    for (std::uint64_t word = 0; word < words; ++word) {
      const std::uint64_t bits = random.bits(first + word);
      // Not zero if and only if some 16 bits are below the threshold, which must be at most 2^15.
      if (threshold_ <= 0x8000 && ((bits - kOnes * threshold_) & ~bits & kHighs) == 0) continue;
      for (std::uint64_t k = 0; k < 4; ++k) {
        const auto unit = static_cast<std::int64_t>(4 * word + k);
        units[count] = static_cast<std::int32_t>(unit);
        count += unit < width && ((bits >> (16 * k)) & 0xFFFF) < threshold_ ? 1 : 0;
      }
    }
    return count;
  }

 private:
  template <class Each>
  void for_units(const Random& random, std::int64_t row, std::int64_t width, const Each& each) const {
    const auto words = static_cast<std::uint64_t>((width + 3) / 4);
    const std::uint64_t first = static_cast<std::uint64_t>(row) * words;
    for (std::uint64_t word = 0; word < words; ++word) {
      const std::uint64_t bits = random.bits(first + word);
      const auto begin = static_cast<std::int64_t>(4 * word);
      for (std::int64_t k = 0; k < std::min<std::int64_t>(4, width - begin); ++k)
        each(begin + k, ((bits >> (16 * k)) & 0xFFFF) < threshold_);
    }
  }

  std::uint32_t threshold_;
};

}  // namespace heatfront
