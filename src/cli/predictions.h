// SPDX-License-Identifier: MIT
// What every command that predicts says of its answer.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "heatfront/flow/decide.h"
#include "heatfront_io/tables/write_predictions.h"

namespace heatfront::cli {

std::vector<Prediction> predictions_of(const Decisions& decisions);

// "4 known, 28 decided, 2 undecided, 0 unreached".
std::string counts_text(const Decisions& decisions);

// Products, and what the error is at most.
Json certificate_json(const SolveReport& report);
std::string certificate_text(const SolveReport& report);

}  // namespace heatfront::cli
