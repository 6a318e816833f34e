// SPDX-License-Identifier: MIT
// Predictions as a table: node,class,confidence,margin,status, then class_2,confidence_2,… where there are
// others, or p_CLASS for every class where its share is asked for; nodes and classes by name.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/data/dataset.h"

namespace heatfront {

struct RankedClass {
  ClassId label;
  Real confidence;
};

struct Prediction {
  ClassId label;
  Real confidence;
  Real margin;  // NaN: there is none, for the label is known
  std::string_view status;
  std::vector<RankedClass> others = {};  // the second class, the third, …
  std::vector<double> shares = {};       // of every class; empty: not asked for
};

// Predictions with fewer others than the most leave their last cells empty.
void write_predictions(const Dataset& dataset, std::span<const Prediction> predictions,
                       const std::filesystem::path& path);

}  // namespace heatfront
