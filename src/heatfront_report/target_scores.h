// SPDX-License-Identifier: MIT
// How labels that are values, or several per node, and what was scored on them are said: of values RMSE, MAE and R² by column, of many labels
// micro and macro F1. What all reports on them share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heatfront/evaluate/target_metrics.h"
#include "heatfront/models/targets/target_predictor.h"
#include "heatfront_report/figures.h"

namespace heatfront {

inline constexpr std::size_t kTargetsShown = 4;  // columns of values in a table

// 17129, 0.6604: four digits at least, and no power of ten where prices and counts are. A dash for NaN; and with its sign, what is added to one.
std::string value_text(double value);
std::string added_text(double value);
std::string share_text(double value);  // 0.660, a dash for NaN

// What the labels are: "values of price", "12 classes, several per node".
std::string text_of(const Targets& targets);
Json json_of(const Targets& targets);
std::vector<std::string> shown_columns(const Targets& targets);
std::string rest_of_columns(const Targets& targets);  // how many more there are than are shown

Json json_of(const TargetScores& scores, const Targets& targets);
std::string scores_text(const TargetScores& scores, const Targets& targets);  // in a line

// The heading of a table whose rows are scores, and a row.
std::vector<std::string> score_heading(const Targets& targets, std::string first);
std::vector<std::string> score_row(const TargetScores& scores, std::string first);

// How many nodes are known, estimated and unreached.
std::string status_text(const TargetAnswer& answer);
Json status_json(const TargetAnswer& answer);

}  // namespace heatfront
