// SPDX-License-Identifier: MIT
// Why a node has its class, as JSON and as text with a plot.
#pragma once

#include <string>
#include <vector>

#include "heatfront/label/explain.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const Explanation& explanation, const Session& session);
std::string text_of(const Explanation& explanation, const Session& session);

// Of many nodes: a list, a table with the strongest reasons of each, and a page with all of them.
Json json_of(const std::vector<Explanation>& explanations, const Session& session);
std::string text_of(const std::vector<Explanation>& explanations, const Session& session);
std::string html_of(const std::vector<Explanation>& explanations, const Session& session);

// Of all that speaks for the class or against it, what comes from labels; NaN where nothing does.
double share_of_labels(const Explanation& explanation);

// The strongest reasons in a line: "label fraud of b17 +0.41; front of b3 (neighbour) +0.10; amount -0.02", which add to the lead
// of the class or take from it.
std::string reasons_text(const Explanation& explanation, const Dataset& data);

}  // namespace heatfront
