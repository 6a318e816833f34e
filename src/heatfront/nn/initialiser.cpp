// SPDX-License-Identifier: MIT
#include "heatfront/nn/initialiser.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/fail.h"

namespace heatfront {

Initialiser initialiser_named(const std::string& name) {
  if (name == "kaiming") return Initialiser::kaiming;
  if (name == "glorot") return Initialiser::glorot;
  fail("unknown initialiser '{}'; there are: kaiming, glorot", name);
}

double initial_bound(Initialiser initialiser, std::int64_t in, std::int64_t out) {
  if (initialiser == Initialiser::glorot) return std::sqrt(6 / static_cast<double>(in + out));
  return 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(in, 1)));
}

void fill_uniform(const Random& random, double bound, MatrixView values) {
  for (std::int64_t i = 0; i < values.rows; ++i) {
    for (std::int64_t j = 0; j < values.cols; ++j) {
      const auto index = static_cast<std::uint64_t>(i * values.cols + j);
      values(i, j) = static_cast<Real>(bound * (2 * random.uniform(index) - 1));
    }
  }
}

}  // namespace heatfront
