// SPDX-License-Identifier: MIT
// The random search for a model's settings, coarse to fine.
//
//   coarse   of N trials the first N − ⌊N/3⌋ are drawn from the whole space: trial i is a function of (seed, i)
//   halving  (experiment/halving.h) ranks them by validation, up to the last rung but one
//   fine     the other ⌊N/3⌋ are drawn near the three best of them in turn: a function of (seed, i, the ranking)
//   halving  ranks all of them together, up to the last rung; nothing is run twice
//   test     the winner alone runs once more with every seed, for its test accuracy; no other run has test nodes
//
// A run is fit() with one seed, which makes the split, too, where it is random: what `train --seed S` does. Runs go
// side by side, each on one thread, and scores are taken in by number, so the winner is the same for any number of
// threads. With a budget of time it is not: then how many trials begin depends on the machine. Coarse trials begin
// in the first 40 % of the budget, fine ones in the first 70 %; the halving goes on to its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/data/dataset.h"
#include "heatfront_experiment/search/halving.h"
#include "heatfront_experiment/search/search_space.h"

namespace heatfront {

struct SearchOptions {
  std::string model = "heat-front";
  SearchSpace space;
  std::string split;  // as choose_split() takes it, for every seed
  std::int64_t trials = 60;
  std::vector<std::uint32_t> seeds = {0, 1, 2, 3, 4};
  std::uint64_t seed = 0;                                        // of the search itself
  double time_budget = std::numeric_limits<double>::infinity();  // seconds
  std::filesystem::path record;                                  // empty: none is written
};

struct Search {
  std::string data;                 // fingerprint
  std::string split;                // of the first seed
  std::vector<TrialScore> ranking;  // the best first
  Spread test;                      // accuracy of the first of them; NaN where the split has no test nodes
  std::int64_t runs = 0;            // all but those for the test accuracy
  std::int64_t runs_before = 0;     // of them, those that the record had already
  double seconds = 0;               // of searching, also before it was broken off
};

// Stopped by `progress`, it ends with Interrupted; the record has all runs that ended.
Search search(const Dataset& dataset, const SearchOptions& options, Threads& threads,
              const ProgressCallback& progress = {});

// The winner as a preset: '#' comments that begin with `how`, then its settings.
std::string preset_text(const Search& search, const SearchOptions& options, const std::string& how);

}  // namespace heatfront
