// SPDX-License-Identifier: MIT
#include "heatfront/nn/initialiser.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "heatfront/base/find_named.h"

namespace heatfront {

std::span<const InitialiserName> initialisers() {
  static constexpr std::array<InitialiserName, 2> kTable = {
      {{"kaiming", Initialiser::kaiming}, {"glorot", Initialiser::glorot}}};
  return kTable;
}

Initialiser initialiser_named(std::string_view name) {
  return find_named(initialisers(), name, "initialiser").initialiser;
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
