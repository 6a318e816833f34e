// SPDX-License-Identifier: MIT
// A comparison as JSON, text, Markdown, CSV and as a page that needs nothing else.
#pragma once

#include <string>

#include "heatfront/data/dataset.h"
#include "heatfront_experiment/compare/compare.h"
#include "heatfront_report/figures.h"

namespace heatfront {

// "82.7 ± 0.6", in percent; a dash for NaN, where a split has no such nodes.
std::string percent_text(const Spread& shares);

// "+1.2 (0.3 to 2.1)", in points; without an interval where every run was the same.
std::string difference_text(const ComparedPair& pair);

// What the runs differ in: "10 splits, the same for all models".
std::string runs_text(const Comparison& comparison);

Json json_of(const Comparison& comparison, const Dataset& dataset);
std::string text_of(const Comparison& comparison, const Dataset& dataset);

std::string markdown_of(const Comparison& comparison, const Dataset& dataset, const std::string& command);

// A line per run.
std::string csv_of(const Comparison& comparison);

std::string html_of(const Comparison& comparison, const Dataset& dataset, const std::string& command);

}  // namespace heatfront
