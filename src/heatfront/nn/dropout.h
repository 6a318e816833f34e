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
  void factors(const Random& random, std::int64_t row, std::span<Real> factors) const;

  // The kept ones of `width` units, ascending, into `units`; returns how many. `units`
  // has room for `width` rounded up to a multiple of 4. Quick where few are kept.
  std::int64_t kept(const Random& random, std::int64_t row, std::int64_t width, std::int32_t* units) const;

 private:
  std::uint32_t threshold_;
};

}  // namespace heatfront
