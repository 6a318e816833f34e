// SPDX-License-Identifier: MIT
// A table that was run, beside the paper's, as JSON, text, Markdown and CSV.
#pragma once

#include <string>
#include <vector>

#include "heatfront_experiment/reproduce/reproduce.h"
#include "heatfront_report/figures.h"

namespace heatfront {

// How far the mean is from the paper's, in the paper's deviations, else in our own; NaN where there is neither.
double deviations_off(const TableCell& cell);

std::string off_text(const TableCell& cell);  // "+0.5 σ", or a dash

// "82.7 ± 0.6" in percent; of one run there is no deviation, of none a dash.
std::string accuracy_text(const TableCell& cell);
std::string paper_text(const PaperFigure& figure);

// "FMAsia: the paper's …", for the data sets and rows that were run and have a note.
std::vector<std::string> notes_on(const Reproduction& result);

// The protocol, beside what a run says of itself: which labels are held fixed, and what training lowers.
std::string labels_held(const PaperRow& row);
std::string loss_of(const TableCell& cell);

Json json_of(const PaperTable& table, const Reproduction& result);
std::string text_of(const PaperTable& table, const Reproduction& result);

// A table of rows and data sets, then one of all cells with their protocol, then what takes how long.
std::string markdown_of(const PaperTable& table, const Reproduction& result, const std::string& command);

// A line a cell.
std::string csv_of(const Reproduction& result);

}  // namespace heatfront
