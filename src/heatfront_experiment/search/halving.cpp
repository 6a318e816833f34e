// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/halving.h"

#include <algorithm>
#include <tuple>

namespace heatfront {

std::vector<std::size_t> rungs(std::size_t seeds) {
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; 2 * count <= seeds; count *= 2) counts.push_back(count);
  counts.push_back(seeds);
  return counts;
}

std::size_t goes_on(std::size_t trials) {
  constexpr std::size_t kLeast = 3;
  return std::max(std::min(trials, kLeast), (trials + 2) / 3);
}

std::size_t runs_of_halving(std::size_t trials, std::span<const std::size_t> rungs) {
  std::size_t runs = 0, before = 0;
  for (std::size_t count : rungs) {
    runs += trials * (count - before);
    before = count;
    trials = goes_on(trials);
  }
  return runs;
}

TrialScore score_of(const Trial& trial, std::span<const std::uint32_t> seeds, const SearchRecord& record) {
  TrialScore score{.trial = trial, .seeds = seeds.size()};
  std::vector<double> accuracies, losses;
  for (std::uint32_t seed : seeds) {
    const SearchRun* run = record.find(trial.number, seed);
    if (run == nullptr) continue;
    if (score.error.empty()) score.error = run->error;
    accuracies.push_back(run->validation_accuracy);
    losses.push_back(run->validation_loss);
  }
  const Spread accuracy = spread_of(accuracies);
  score.validation_accuracy = accuracy.mean;
  score.validation_deviation = accuracy.deviation;
  score.validation_loss = spread_of(losses).mean;
  return score;
}

bool better(const TrialScore& one, const TrialScore& other) {
  const auto key = [](const TrialScore& score) {
    const bool failed = !score.error.empty();
    return std::tuple(failed, failed ? 0 : -score.validation_accuracy, failed ? 0 : score.validation_loss,
                      score.trial.number);
  };
  return key(one) < key(other);
}

}  // namespace heatfront
