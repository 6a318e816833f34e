// SPDX-License-Identifier: MIT
// Runs a table of the paper: every row on every data set with every seed, independent runs side by side, each on one
// thread, the largest data first so that the threads end together. Rows that differ only in the labels held fixed share
// their training. What the record has is not run again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront_experiment/compare/paired.h"
#include "heatfront_experiment/reproduce/paper_tables.h"
#include "heatfront_experiment/reproduce/table_record.h"

namespace heatfront {

struct ReproduceOptions {
  std::vector<std::string> rows, datasets;  // numbers and names; empty: all
  std::int64_t runs = 0;                    // of each cell at most; 0: as many as the paper has
  bool recorded = false;                    // nothing is run: the table of what the record has
  std::filesystem::path folder;  // of the record, and of graphs that have to be made; empty: neither is kept
};

// A cell of the table: the runs of a row on a data set.
struct TableCell {
  const PaperRow* row = nullptr;
  const PaperDataset* dataset = nullptr;
  PaperFigure paper;
  std::vector<TableRun> runs;        // by seed
  Spread test, validation, seconds;  // shares; validation without deviation and mean where there is none
};

struct Reproduction {
  std::vector<TableCell> cells;  // row by row
  std::int64_t runs_before = 0;  // that the record had already
  double seconds = 0;            // of this time
  std::int64_t threads = 1;      // runs at once

  std::int64_t runs() const;
};

// "07-09,11" → numbers of the table's rows; names of its data sets likewise. An unknown one is an Error.
std::vector<std::string> parse_rows(const PaperTable& table, const std::string& text);
std::vector<std::string> parse_datasets(const PaperTable& table, const std::string& text);

// Stopped by `progress`, it ends with Interrupted; the record has all runs that ended.
Reproduction reproduce(const PaperTable& table, const ReproduceOptions& options, Threads& threads,
                       const ProgressCallback& progress = {});

}  // namespace heatfront
