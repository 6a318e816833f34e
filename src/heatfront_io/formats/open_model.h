// SPDX-License-Identifier: MIT
// A model by what a user names: its file; Error says what to do about a data set or a folder in its place.
#pragma once

#include <filesystem>

#include "heatfront/base/parallel.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

TrainedModel open_model(const std::filesystem::path& path, Threads& threads);

}  // namespace heatfront
