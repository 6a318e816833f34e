// SPDX-License-Identifier: MIT
// What a search has done, as a file of JSON lines: first what was searched, then a line for each run that
// ended, in the order in which they ended. The file is all that a search needs to go on where it was broken off.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "heatfront_experiment/line_file.h"
#include "heatfront_experiment/search/search_space.h"

namespace heatfront {

// A training of one trial's settings with one seed.
struct SearchRun {
  std::int64_t trial = 0;
  std::string stage;  // "coarse" or "fine"; "test": the winner once more, for its test accuracy
  std::uint32_t seed = 0;
  Settings settings;
  double validation_accuracy = 0,
         validation_loss = 0;           // of the epoch that was kept; the loss may be infinite
  std::optional<double> test_accuracy;  // in stage "test" alone
  std::int64_t epochs = 0;
  double seconds = 0;  // of this run
  double at = 0;       // seconds of searching when it ended
  std::string error;   // why it failed; empty: it did not
};

// Name and value of all that the runs depend on: a record is only continued by the search that began it.
using SearchTerms = std::vector<std::pair<std::string, std::string>>;

class SearchRecord {
 public:
  // Reads the file if it is there, without a last line that was torn, and begins it if not. Without a path it is
  // kept in memory alone.
  SearchRecord(std::filesystem::path path, const SearchTerms& terms);

  // The run of this trial and seed, in stage "test" or not; none: nullptr.
  const SearchRun* find(std::int64_t trial, std::uint32_t seed, bool test = false) const;

  // Keeps it, on disk before this returns. Stays where it is.
  void add(SearchRun run);

  const std::deque<SearchRun>& runs() const { return runs_; }

 private:
  void read(const SearchTerms& terms);
  void keep(SearchRun run);

  LineFile file_;
  std::deque<SearchRun> runs_;
  std::map<std::tuple<std::int64_t, std::uint32_t, bool>, const SearchRun*> by_trial_;
};

}  // namespace heatfront
