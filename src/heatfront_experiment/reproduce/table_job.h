// SPDX-License-Identifier: MIT
// One run of a model, or of one row of a table, or of two that share their training.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/models/trained_model.h"
#include "heatfront/train/fit.h"
#include "heatfront_experiment/reproduce/paper_tables.h"
#include "heatfront_experiment/reproduce/table_record.h"

namespace heatfront {

struct TableJob {
  const PaperDataset* dataset = nullptr;
  const Dataset* data = nullptr;  // opened, with a split of its own where it has one
  std::uint32_t seed = 0;
  std::vector<const PaperRow*> rows;  // wanted ones; all of them follow from one training, or one sweep
};

// What runs depend on beside the seed, as a short name: data, how it is split, and settings.
std::string terms_of(const FitOptions& options, std::string_view split, const Dataset& data);
std::string terms_of(const PaperRow& row, const PaperDataset& dataset, const Dataset& data);

// One training as a run, still without a place in a table, and what it came to. `go_on` is asked now and then; false ends
// with Interrupted.
struct FitRun {
  TableRun run;
  TrainedModel model;
};
FitRun run_fit(const Dataset& data, const FitOptions& options, Threads& thread,
               const std::function<bool()>& go_on);

// A run for each row of the job; `go_on` as above.
std::vector<TableRun> run_job(const TableJob& job, Threads& thread, const std::function<bool()>& go_on);

}  // namespace heatfront
