// SPDX-License-Identifier: MIT
// Dropout: a unit is kept with probability q and then scaled by 1/q. Which ones is a function of (seed, row,
// unit): 16 bits each of the random numbers of the row. q is rounded to a multiple of 2^−16, and what is kept is
// scaled by the rounded one, so the expectation is exact.
#pragma once

#include <cstdint>
#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/base/types.h"

namespace heatfront {

class Dropout {
 public:
  explicit Dropout(double share);  // each unit is dropped with probability `share`; Error unless in [0, 1)

  double keep() const { return static_cast<double>(threshold_) / 65536; }
  Real scale() const { return static_cast<Real>(65536 / static_cast<double>(threshold_)); }

  // factors[j] ← 1/q if unit j of the row is kept, else 0.
  void factors(const Random& random, std::int64_t row, std::span<Real> factors) const;

  // The same for any units that have 16 bits each of the words from `first_word` on.
  void factors_from(const Random& random, std::uint64_t first_word, std::span<Real> factors) const;

  // The kept ones of `width` units, ascending, into `units`; returns how many. `units`
  // has room for `width` rounded up to a multiple of 4. Quick where few are kept.
  std::int64_t kept(const Random& random, std::int64_t row, std::int64_t width, std::int32_t* units) const;

 private:
  std::uint32_t threshold_;
};

// y ← x ∘ factors, all rows; also the way back. y may be x.
void drop(const Dropout& dropout, const Random& random, ConstMatrixView x, MatrixView y, Threads& threads);

}  // namespace heatfront
