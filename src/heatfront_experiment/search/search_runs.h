// SPDX-License-Identifier: MIT
// Runs of a search, side by side: as many at once as there are threads, each on one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/data/dataset.h"
#include "heatfront_experiment/search/search_record.h"
#include "heatfront_experiment/seeded_data.h"
#include "heatfront_experiment/side_by_side.h"

namespace heatfront {

struct RunRequest {
  std::int64_t trial = 0;
  std::string stage;
  std::uint32_t seed = 0;
  Settings settings;
};

class SearchRuns {
 public:
  // `planned`: how many runs the whole search takes at most, for the progress.
  SearchRuns(const Dataset& dataset, std::string model, std::string split, std::int64_t planned,
             SearchRecord& record, Threads& threads, const ProgressCallback& progress);

  // Does those that the record lacks, in this order, none of them begun later than `until` seconds of searching.
  void run(std::span<const RunRequest> requests, double until);

  double seconds() const { return before_ + watch_.seconds(); }  // of searching, so far

 private:
  SearchRun run_one(const RunRequest& request, SeededData& data, Threads& thread);
  bool go_on(const RunRequest& request);  // tells of the progress; false: to be stopped

  const Dataset& dataset_;
  std::string model_, split_;
  SearchRecord& record_;
  Threads& threads_;
  SharedProgress shared_;  // also guards the record
  double before_;
  Stopwatch watch_;
};

}  // namespace heatfront
