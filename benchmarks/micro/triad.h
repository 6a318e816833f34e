// SPDX-License-Identifier: MIT
// STREAM's triad, a ← b + s c on arrays much larger than the caches: what the memory gives, 12 bytes a
// number.
#pragma once

#include <vector>

#include "heatfront/base/parallel.h"

namespace heatfront::micro {

class Triad {
 public:
  Triad() : a_(kNumbers), b_(kNumbers, 1), c_(kNumbers, 2) {}

  void run(Threads& threads);
  static double bytes() { return 3.0 * sizeof(float) * kNumbers; }

 private:
  static constexpr std::int64_t kNumbers = std::int64_t{1} << 25;
  std::vector<float> a_, b_, c_;
};

}  // namespace heatfront::micro
