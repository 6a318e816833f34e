// SPDX-License-Identifier: MIT
// Small data sets that can be learned, made on the spot.
#pragma once

#include <string>

#include "heatfront/data/choose_split.h"
#include "heatfront/data/open.h"

namespace heatfront::test {

// As open_dataset(), with a split.
inline Dataset small_data(const std::string& name, const std::string& split, Threads& threads) {
  Dataset dataset = open_dataset(name, {}, threads);
  dataset.split = choose_split(dataset, split, 0);
  return dataset;
}

}  // namespace heatfront::test
