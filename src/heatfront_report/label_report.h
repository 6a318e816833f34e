// SPDX-License-Identifier: MIT
// What changed labels did, and which nodes are worth labelling next, as JSON and as text.
#pragma once

#include <string>
#include <vector>

#include "heatfront/label/label_effect.h"
#include "heatfront/label/suggest.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const LabelEffect& effect, const Dataset& data);
std::string text_of(const LabelEffect& effect, const Session& session);

Json json_of(const std::vector<Suggestion>& suggestions, const Dataset& data);
std::string text_of(const std::vector<Suggestion>& suggestions, const Dataset& data,
                    const SuggestOptions& options);

}  // namespace heatfront
