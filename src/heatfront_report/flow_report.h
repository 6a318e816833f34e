// SPDX-License-Identifier: MIT
// What flows came to: certificates, decisions, solutions and sweeps over time, as JSON, text and files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/label/flow_task.h"
#include "heatfront_experiment/sweep.h"
#include "heatfront_io/tables/write_predictions.h"
#include "heatfront_report/drawing/chart.h"
#include "heatfront_report/figures.h"

namespace heatfront {

// Products, and what the error is at most.
Json json_of(const SolveReport& report);
std::string text_of(const SolveReport& report);

// "4 known, 28 decided, 2 undecided, 0 unreached".
std::string counts_text(const Decisions& decisions);

// A row per node; with `top` above 1 its second class, its third, … as well, where its label is not known.
std::vector<Prediction> predictions_of(const Answer& answer, std::int64_t top = 1);

// How far the class of a node leads; NaN where its label is known, for nothing competes with it there.
double margin_shown(const Decisions& decisions, std::size_t u);

// With the share of every class, all or nothing where a label is known.
void add_shares(const Answer& answer, std::vector<Prediction>& predictions);

// A list with an object per node.
Json json_of(const std::vector<Prediction>& predictions, const Dataset& data);

// The split and the known labels: test scores with validation labels among them are not comparable to those without.
std::string protocol_text(const FlowTask& task);

Json json_of(const FlowTask& task, const FlowSolution& solution);
std::string text_of(const FlowTask& task, const FlowSolution& solution);

// Temperatures, classes and status as an npz.
void write_temperatures(const Answer& answer, const std::filesystem::path& path);

Json json_of(const FlowTask& task, const Sweep& sweep);
std::string text_of(const FlowTask& task, const Sweep& sweep);  // a row per time
std::string drawn(const FlowTask& task, const Sweep& sweep);  // the same with the curve in place of the rows
std::string csv_of(const Sweep& sweep);
Chart chart_of(const Sweep& sweep, const std::string& name);

}  // namespace heatfront
