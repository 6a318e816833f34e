// SPDX-License-Identifier: MIT
// A ranking as JSON, as text and as a table.
#pragma once

#include <filesystem>
#include <string>

#include "heatfront/label/rank.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const Ranking& ranking, const Session& session, const Answer& answer);
std::string text_of(const Ranking& ranking, const Session& session, const Answer& answer);

// node,class,confidence,margin,status as in predictions, then probability (of the class that was asked for), share_of_labels and
// reasons, the strongest in words; likeliest first.
void write_ranking(const Ranking& ranking, const Session& session, const Answer& answer,
                   const std::filesystem::path& path);

}  // namespace heatfront
