// SPDX-License-Identifier: MIT
// The writers, one per format. What they write appears whole or not at all, and reads back to the same
// fingerprint.
#pragma once

#include <filesystem>

#include "heatfront/data/dataset.h"

namespace heatfront {

// The layout that read_npz and numpy.load read.
void write_npz(const Dataset& dataset, const std::filesystem::path& path);

// A new folder with edges.csv, and features.csv, labels.csv, classes.csv, split.csv where there is something
// to put there. Nodes whose names are all integers come back in ascending order of them, others in their own.
void write_csv(const Dataset& dataset, const std::filesystem::path& folder);

// By its name: NAME.npz (or -, standard output) is an npz, a name without an ending (or with / behind it) a folder of CSV
// files. Other endings are refused: nobody means a folder by them.
bool is_npz_name(const std::filesystem::path& path);
void write_dataset(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace heatfront
