// SPDX-License-Identifier: MIT
// A split as a file: an npz with train_idx, val_idx and test_idx.
#pragma once

#include <filesystem>

#include "heatfront/data/split.h"

namespace heatfront {

void write_split_npz(const Split& split, const std::filesystem::path& path);

// Called "file NAME" after the file. Masks are read too (file_formats.md). Whether the nodes are there is for
// whoever has the data set to check.
Split read_split_npz(const std::filesystem::path& path);

}  // namespace heatfront
