// SPDX-License-Identifier: MIT
// Small data sets that can be learned, made on the spot.
#pragma once

#include <string>

#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/open.h"

namespace heatfront::test {

// As open_dataset(), with a split.
inline Dataset small_data(const std::string& name, const std::string& split, Threads& threads) {
  Dataset dataset = open_dataset(name, {}, threads);
  dataset.split = choose_split(dataset, split, 0);
  return dataset;
}

// Three groups of ten nodes, with features that tell them apart.
inline Dataset small_blocks(Threads& threads) {
  return small_data("blocks:blocks=3,size=10,inside=0.4,across=0.05", "per-class 4,3", threads);
}

}  // namespace heatfront::test
