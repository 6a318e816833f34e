// SPDX-License-Identifier: MIT
// Nodes whose labels are drawn from the shares that are said of them, or from other ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "heatfront/base/random.h"
#include "heatfront/evaluate/calibration.h"
#include "heatfront/evaluate/judged_shares.h"

namespace heatfront::test {

// The labels follow softmax(2z) of normal z, and the shares are softmax(2z / softening): right at 1, too
// timid above, too sure below.
inline JudgedShares random_shares(std::uint64_t seed, std::size_t nodes, ClassId classes, double softening) {
  const Random logits = Random(seed).part(0), draws = Random(seed).part(1);
  JudgedShares judged{.classes = classes};
  for (std::uint64_t i = 0; i < nodes; ++i) {
    std::vector<double> shares;
    double sum = 0;
    for (std::uint64_t c = 0; c < at(classes); ++c)
      sum += shares.emplace_back(std::exp(2 * logits.normal(i * at(classes) + c)));
    for (double& share : shares) share /= sum;
    double left = draws.uniform(i);
    ClassId label = 0;
    while (label < classes - 1 && (left -= shares[at(label)]) >= 0) ++label;
    scale_shares(softening, shares);
    judged.labels.push_back(label);
    judged.given.push_back(static_cast<ClassId>(std::ranges::max_element(shares) - shares.begin()));
    judged.shares.insert(judged.shares.end(), shares.begin(), shares.end());
  }
  return judged;
}

// Those of them in this order.
inline JudgedShares rows_of(const JudgedShares& all, std::span<const std::size_t> rows) {
  JudgedShares part{.classes = all.classes};
  for (std::size_t i : rows) {
    part.labels.push_back(all.labels[i]);
    part.given.push_back(all.given[i]);
    part.shares.insert(part.shares.end(), all.row(i).begin(), all.row(i).end());
  }
  return part;
}

}  // namespace heatfront::test
