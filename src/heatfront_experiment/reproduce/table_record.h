// SPDX-License-Identifier: MIT
// The runs of a table as a file of JSON lines, a line per run: all that is needed to go on where it was broken off.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "heatfront/evaluate/confusion.h"
#include "heatfront_experiment/compare/paired.h"
#include "heatfront_experiment/line_file.h"

namespace heatfront {

// Accuracies on the way: over the epochs of a training, or over t.
struct CurvePoint {
  double x = 0, validation = 0, test = 0;
};

struct TableRun {
  std::string row, dataset;
  std::uint32_t seed = 0;
  std::string terms;  // a short name for data, split and settings: a run counts for these alone

  // The protocol.
  std::string split;                 // how it was made, and its hash
  bool validation_included = false;  // are validation labels among those held fixed?
  std::string selected_by, preset;
  double time = std::numeric_limits<double>::quiet_NaN();  // t, where validation chose it

  double test_accuracy = 0,
         validation_accuracy = 0;  // shares; validation is NaN where its labels are included
  std::int64_t parameters = 0, epochs = 0;
  double seconds = 0;
  std::vector<ClassScore> classes = {};  // of the test nodes; empty: not kept
  std::vector<CurvePoint> curve;         // of the first seed alone
};

Spread spread_of(std::span<const TableRun> runs, double TableRun::*what);

enum class RecordUse { read, extend };

class TableRecord {
 public:
  // Goes on with the file if it is there. Without a path it is kept in memory alone. To read it, while another
  // program may be writing to it, changes nothing and makes no file.
  TableRecord(std::filesystem::path path, const std::string& table, RecordUse use = RecordUse::extend);

  // The run of this cell, seed and terms; none: nullptr. Stays where it is.
  const TableRun* find(const std::string& row, const std::string& dataset, std::uint32_t seed,
                       const std::string& terms) const;

  // Keeps it; the system has it when this returns. Not of a record that is only read.
  void add(TableRun run);

 private:
  void keep(TableRun run);

  LineFile file_;
  std::deque<TableRun> runs_;
  std::map<std::tuple<std::string, std::string, std::uint32_t, std::string>, const TableRun*> by_cell_;
};

}  // namespace heatfront
