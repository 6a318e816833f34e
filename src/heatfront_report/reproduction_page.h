// SPDX-License-Identifier: MIT
// A table that was run as one page that needs nothing else: figures beside the paper's, drawn and in numbers, times,
// accuracies over t and over the epochs.
#pragma once

#include <string>

#include "heatfront_experiment/reproduce/reproduce.h"

namespace heatfront {

std::string html_of(const PaperTable& table, const Reproduction& result, const std::string& command);

}  // namespace heatfront
