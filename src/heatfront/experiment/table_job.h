// SPDX-License-Identifier: MIT
// One run of one row of a table, or of two that share their training.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/experiment/paper_tables.h"
#include "heatfront/experiment/table_record.h"

namespace heatfront {

struct TableJob {
  const PaperDataset* dataset = nullptr;
  const Dataset* data = nullptr;  // opened, with a split of its own where it has one
  std::uint32_t seed = 0;
  std::vector<const PaperRow*> rows;  // wanted ones; all of them follow from one training, or one sweep
};

// What runs of this row depend on, as a short name: data and settings. The split follows from these and the seed.
std::string terms_of(const PaperRow& row, const PaperDataset& dataset, const Dataset& data);

// A run for each row of the job. `go_on` is asked now and then; false ends with Interrupted.
std::vector<TableRun> run_job(const TableJob& job, Threads& thread, const std::function<bool()>& go_on);

}  // namespace heatfront
