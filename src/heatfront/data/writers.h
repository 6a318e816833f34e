// SPDX-License-Identifier: MIT
// The writers, one a format. Files appear whole or not at all.
#pragma once

#include <filesystem>

#include "heatfront/data/dataset.h"

namespace heatfront {

// The layout that read_npz and numpy.load read. What is read back has the same fingerprint.
void write_npz(const Dataset& dataset, const std::filesystem::path& path);

}  // namespace heatfront
