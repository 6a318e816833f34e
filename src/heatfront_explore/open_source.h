// SPDX-License-Identifier: MIT
// What a user names → what the explorer begins with: a model as it is, or data with nothing trained.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/models/trained_model.h"
#include "heatfront_explore/beside.h"

namespace heatfront::explore {

struct Source {
  std::string name;                   // MODEL or DATA
  std::filesystem::path output;       // where the model is saved; empty: where it came from, or NAME.hf here
  std::filesystem::path beside = {};  // another model of the same graph; empty: none
  std::vector<std::string> classes;   // besides those of the data
};

struct Opened {
  TrainedModel model;
  std::filesystem::path file;
  std::vector<std::string> notes;
  std::optional<Beside> beside;
};

// Error where it cannot be opened, where its labels are no classes, and where NAME.hf is there already.
Opened open_source(const Source& source, Threads& threads);

}  // namespace heatfront::explore
