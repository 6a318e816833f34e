// SPDX-License-Identifier: MIT
// Predictions as a table: node,class,confidence,margin,status; nodes and classes by name.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "heatfront/data/dataset.h"

namespace heatfront {

struct Prediction {
  ClassId label;
  Real confidence;
  Real margin;
  std::string_view status;
};

void write_predictions(const Dataset& dataset, std::span<const Prediction> predictions,
                       const std::filesystem::path& path);

}  // namespace heatfront
