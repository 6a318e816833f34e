// SPDX-License-Identifier: MIT
// small_blocks with five columns of features, some of them zero, that tell the groups apart.
#pragma once

#include "heatfront/base/random.h"
#include "support/small_data.h"

namespace heatfront::test {

inline Dataset featured_blocks(Threads& threads) {
  Dataset data = small_blocks(threads);
  const Random random(5);
  Matrix features(data.nodes(), 5);
  for (std::int64_t u = 0; u < features.rows(); ++u) {
    for (std::int64_t j = 0; j < features.cols(); ++j) {
      const auto index = static_cast<std::uint64_t>(u * features.cols() + j);
      const bool own = j == data.labels[static_cast<std::size_t>(u)];
      features(u, j) =
          own || index % 3 == 0 ? static_cast<Real>((own ? 1.5 : 0.2) + random.uniform(index)) : Real(0);
    }
  }
  data.features = Features(std::move(features));
  return data;
}

}  // namespace heatfront::test
