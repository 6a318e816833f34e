// SPDX-License-Identifier: MIT
// The folder that data sets known by name live in, and where in it they are.
#pragma once

#include <filesystem>
#include <string_view>

#include "heatfront_io/fetch/catalogue.h"

namespace heatfront {

// $HEATFRONT_DATA, else $XDG_CACHE_HOME/heatfront, else $HOME/.cache/heatfront; empty where none of them is
// set.
std::filesystem::path data_folder();

// The first of the set's places that is there, as a path to open: folder/cora.npz, or
// folder/planetoid/ind.cora when all eight files are. Empty: not there, embedded, or no name of the catalogue
// (so no name leads out of the folder).
std::filesystem::path find_dataset(const KnownDataset& dataset, const std::filesystem::path& folder);
std::filesystem::path find_dataset(std::string_view name, const std::filesystem::path& folder);

// Of a set that is published in another form alone: the Error that says how it is had by hand.
[[noreturn]] void fail_by_hand(const KnownDataset& dataset, const std::filesystem::path& folder);

}  // namespace heatfront
