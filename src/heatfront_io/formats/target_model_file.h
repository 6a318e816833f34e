// SPDX-License-Identifier: MIT
// Models of values and of many labels as files: npz, version 2 of a model (file_formats.md).
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/models/targets/target_model.h"

namespace heatfront {

void write_model(const TargetModel& model, const std::filesystem::path& path);
std::vector<std::byte> model_bytes(const TargetModel& model);

bool is_target_model(
    const std::filesystem::path& path);  // false where it cannot be read; open_any_model() reads either kind
TargetModel read_target_model(const std::filesystem::path& path, Threads& threads);
TargetModel read_target_model(std::span<const std::byte> bytes, Threads& threads);

}  // namespace heatfront
