// SPDX-License-Identifier: MIT
// Successive halving with seeds as the resource: everybody runs with one seed, and at each rung only the best
// third goes on, with about twice the seeds; the last rung has all of them.
//
//     seeds at the rungs, of S: 1, 2, 4, … while twice as many are there, then S      (S = 5: 1, 2, 5)
//     who goes on, of n: ⌈n/3⌉, at least 3
//
// All trials of a rung have the same seeds, so their scores compare split by split. The order is by validation
// alone: the highest mean accuracy, of equals the lowest mean loss, then the lowest number; who failed comes last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heatfront_experiment/compare/paired.h"
#include "heatfront_experiment/search/search_record.h"

namespace heatfront {

std::vector<std::size_t> rungs(std::size_t seeds);
std::size_t goes_on(std::size_t trials);

// How many runs the halving of `trials` takes at most.
std::size_t runs_of_halving(std::size_t trials, std::span<const std::size_t> rungs);

struct Trial {
  std::int64_t number = 0;
  std::string stage;  // "coarse" or "fine"
  Settings settings;
};

struct TrialScore {
  Trial trial;
  std::size_t seeds = 0;  // it ran with the first so many
  double validation_accuracy = 0, validation_deviation = 0, validation_loss = 0;
  std::string error;  // of the first run that failed
};

// The score by the runs that the record has of these seeds.
TrialScore score_of(const Trial& trial, std::span<const std::uint32_t> seeds, const SearchRecord& record);

bool better(const TrialScore& one, const TrialScore& other);

}  // namespace heatfront
