// SPDX-License-Identifier: MIT
// A model by what a user names: its file; Error says what to do about a data set or a folder in its place.
#pragma once

#include <filesystem>
#include <variant>

#include "heatfront/base/parallel.h"
#include "heatfront/models/targets/target_model.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

// Of classes, or of values and many labels.
using AnyModel = std::variant<TrainedModel, TargetModel>;
AnyModel open_any_model(const std::filesystem::path& path, Threads& threads);

// Of classes; Error where it is not.
TrainedModel open_model(const std::filesystem::path& path, Threads& threads);

}  // namespace heatfront
