// SPDX-License-Identifier: MIT
// The tables of "Learning Label Initialization for Time-Dependent Harmonic Extension": what is run for each cell, and
// what the paper has there.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace heatfront {

struct PaperFigure {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double mean = kNone, deviation = kNone;  // in percent; no deviation where the paper gives none
};

struct PaperDataset {
  std::string_view name;       // as open_dataset() takes it, and of its presets
  std::string_view title;      // as in the paper
  std::string_view split;      // as choose_split() takes it
  std::int64_t runs = 0;       // seeds 0, 1, …: of training and, where it is random, of the split
  bool joined = true;          // false: points, which are to be joined to their nearest neighbours first
  std::string_view note = "";  // where it is not the paper's data, which the report says below the table
  bool self_tuning = false;    // points are joined by the self-tuning kernel, and the flow alone sees them
};

// The model of a row that leaves it to the data set's preset.
inline constexpr std::string_view kModelOfPreset = "preset";
inline constexpr std::string_view kBestPreset = "-best";

// How a row without a model chooses its flow.
enum class FlowWay : std::uint8_t {
  validation,   // t by validation labels
  few_labels,   // as `heatfront solve` does without flags
  known_sizes,  // the same, and then threshold dynamics with the true sizes of the classes
};

struct PaperRow {
  std::string_view number;  // "01"
  std::string_view title;
  bool validation_included = false;  // are validation labels held fixed beside the others, after training?
  bool trained_again = false;        // and is the model trained again with them?
  std::string_view model = "";       // of the table of models; none: the flow alone, with t by validation
  std::string_view setting = "";     // over the preset
  std::string_view preset = "";      // comes after the name of the data set's, where there is such a one;
                                     // for kModelOfPreset, kBestPreset where there is not
  std::span<const PaperFigure> figures;  // by data set
  std::string_view note = "";   // where the paper's figures are of another kind; said below the table
  std::string_view split = "";  // in place of the data set's
  FlowWay way = FlowWay::validation;
};
std::string_view split_of(const PaperRow& row, const PaperDataset& dataset);

struct PaperTable {
  std::string_view name;  // "table2"
  std::string_view title;
  std::span<const PaperDataset> datasets;
  std::span<const PaperRow> rows;
};

// What a row trains on a data set.
struct RowModel {
  std::string model, preset;  // no model: the flow alone; no preset: the one named like the data set
};
RowModel model_of(const PaperRow& row, std::string_view dataset);

std::span<const PaperTable> paper_tables();
const PaperTable& find_paper_table(std::string_view name);  // Error lists the right ones

}  // namespace heatfront
