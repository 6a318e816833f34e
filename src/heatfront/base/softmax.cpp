// SPDX-License-Identifier: MIT
#include "heatfront/base/softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace heatfront {

void softmax(std::span<const Real> row, std::span<double> shares) {
  assert(!row.empty() && shares.size() == row.size());
  const Real highest = std::ranges::max(row);
  double sum = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    shares[c] = std::exp(static_cast<double>(row[c] - highest));
    sum += shares[c];
  }
  for (double& share : shares) share /= sum;
}

double softmax_share(std::span<const Real> row, std::size_t c) {
  assert(c < row.size());
  double sum = 0;
  for (Real x : row) sum += std::exp(static_cast<double>(x - row[c]));
  return 1 / sum;
}

}  // namespace heatfront
