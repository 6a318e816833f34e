// SPDX-License-Identifier: MIT
// What `predict`, `evaluate`, `label` and `explain` have in common: a model, and what is said of it.
#pragma once

#include <filesystem>
#include <string>

#include "cli/console.h"
#include "cli/flags.h"
#include "heatfront/data/split.h"
#include "heatfront/label/session.h"

namespace heatfront::cli {

struct ModelArgument {
  std::filesystem::path path;

  void add_to(Flags& flags);
  Session open(Console& console) const;
};

struct Scores {
  double validation, test;  // NaN where there is nothing to judge by
};
Scores scores(const Answer& answer, const Dataset& data, const Split& judges);

// Whose numbers these are: data, split, known labels and whether some of them were to judge by.
Json model_json(const Session& session);
std::string model_text(const Session& session);

}  // namespace heatfront::cli
