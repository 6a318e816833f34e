// SPDX-License-Identifier: MIT
// The split that a user names.
#pragma once

#include <cstdint>
#include <string>

#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"

namespace heatfront {

// `text` is "file" (the one that came with the data), "percent A,B", "per-class A,B", "folds K", or a path of an npz
// with train_idx, val_idx and test_idx; empty: the data's own where it has one, else "percent 40,40".
Split choose_split(const Dataset& dataset, const std::string& text, std::uint32_t seed);

}  // namespace heatfront
