// SPDX-License-Identifier: MIT
// The data sets that live inside the program: no file, no network.
#pragma once

#include <span>
#include <string_view>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"

namespace heatfront {

struct EmbeddedDataset {
  std::string_view name;
  Dataset (*open)(Threads& threads);
};

std::span<const EmbeddedDataset> embedded_datasets();

}  // namespace heatfront
