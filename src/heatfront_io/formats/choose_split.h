// SPDX-License-Identifier: MIT
// The split that a user names, and splits as files: an npz with train_idx, val_idx and test_idx, and of the data that it was made for
// the number of nodes (made_for_nodes) and a fingerprint of the labels of its own nodes (made_for_labels). Labels that other
// nodes get later do not matter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"

namespace heatfront {

// `text` is "file" (the one that came with the data), "percent A,B", "per-class A,B", "folds K", or a path of an npz
// with train_idx, val_idx and test_idx; empty: the data's own where it has one, else "percent 40,40".
Split choose_split(const Dataset& dataset, const std::string& text, std::uint32_t seed);

// The first for any data that has its nodes.
void write_split_npz(const Split& split, const std::filesystem::path& path);
void write_split_npz(const Split& split, const Dataset& made_for, const std::filesystem::path& path);

// Called "file NAME" after the file. Masks are read too (file_formats.md). Whether the nodes are there is for
// whoever has the data set to check.
Split read_split_npz(const std::filesystem::path& path);

// The same for this data set: Error where it was made for another, or names nodes that are not there.
Split read_split_npz(const std::filesystem::path& path, const Dataset& dataset);

}  // namespace heatfront
