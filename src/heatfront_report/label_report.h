// SPDX-License-Identifier: MIT
// What changed labels did, and which nodes are worth labelling next, as JSON and as text.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/label/growth.h"
#include "heatfront/label/label_effect.h"
#include "heatfront/label/suggest.h"
#include "heatfront_io/tables/label_file.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const LabelEffect& effect, const Dataset& data);
std::string text_of(const LabelEffect& effect, const Session& session);

// What new nodes did to the old ones.
Json json_of(const Growth& growth, const Session& session, const Answer& answer);
std::string text_of(const Growth& growth, const Session& session, const Answer& answer);

// node,class,confidence,margin,status as in predictions, then share_of_labels and reasons; the new nodes alone.
void write_new_nodes(const Growth& growth, Session& session, const Answer& answer,
                     const std::filesystem::path& path);

Json json_of(const std::vector<Suggestion>& suggestions, const Dataset& data);
std::vector<Question> questions_of(const std::vector<Suggestion>& suggestions, const Answer& answer);
std::string text_of(const std::vector<Suggestion>& suggestions, const Dataset& data,
                    const SuggestOptions& options);

}  // namespace heatfront
