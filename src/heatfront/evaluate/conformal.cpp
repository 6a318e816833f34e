// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/conformal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "heatfront/base/fail.h"
#include "heatfront/base/find_named.h"

namespace heatfront {
namespace {

std::vector<ClassId> by_share(std::span<const double> shares) {
  std::vector<ClassId> classes(shares.size());
  std::iota(classes.begin(), classes.end(), 0);
  std::ranges::stable_sort(classes, std::greater(), [&](ClassId c) { return shares[at(c)]; });
  return classes;
}

std::vector<double> unlikeliness(std::span<const double> shares) {
  std::vector<double> scores;
  for (double share : shares) scores.push_back(1 - share);
  return scores;
}

// 0 for the likeliest class: were its own share counted, the nodes that a model is surest of would score
// worst.
std::vector<double> share_above(std::span<const double> shares) {
  std::vector<double> scores(shares.size());
  double sum = 0;
  for (ClassId c : by_share(shares)) {
    scores[at(c)] = sum;
    sum += shares[at(c)];
  }
  return scores;
}

// ⌈(n + 1) level⌉, where 10 · 0.9 is 9 whatever the rounding.
std::int64_t rank_of(std::int64_t n, double level) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(n + 1) * level - 1e-9));
}

void check_level(double level) {
  if (!(level > 0 && level < 1)) fail("coverage {}: it must be between 0 and 1, as 0.9", level);
}

}  // namespace

std::span<const ConformalScore> conformal_scores() {
  static constexpr std::array<ConformalScore, 2> kTable = {
      {{"lac", "the smallest sets on average", unlikeliness},
       {"aps", "larger sets for doubtful nodes, smaller ones for clear ones", share_above}}};
  return kTable;
}

const ConformalScore& find_conformal_score(std::string_view name) {
  return find_named(conformal_scores(), name, "score");
}

std::vector<ClassId> ConformalSets::set_of(std::span<const double> shares) const {
  if (score == nullptr || shares.empty())
    fail("set of classes: {}",
         shares.empty() ? "there are no classes" : "conformal_sets() makes what it goes by");
  const std::vector<double> scores = score->of(shares);
  std::vector<ClassId> classes = by_share(shares);
  const ClassId likeliest = classes.front();
  std::erase_if(classes, [&](ClassId c) { return c != likeliest && scores[at(c)] > threshold; });
  return classes;
}

ConformalSets conformal_sets(const JudgedShares& calibration, double level, const ConformalScore& score) {
  check_level(level);
  check(calibration);
  std::vector<double> scores;
  for (std::size_t i = 0; i < calibration.nodes(); ++i)
    scores.push_back(score.of(calibration.row(i))[at(calibration.labels[i])]);
  const std::int64_t n = std::ssize(scores);
  return {.score = &score,
          .level = level,
          .calibrated_on = n,
          .threshold = conformal_threshold(std::move(scores), level)};
}

double conformal_threshold(std::vector<double> scores, double level) {
  check_level(level);
  const std::int64_t n = std::ssize(scores), rank = rank_of(n, level);
  if (rank > n) return std::numeric_limits<double>::infinity();
  std::ranges::nth_element(scores, scores.begin() + (rank - 1));
  return scores[at(rank - 1)];
}

// ⌈(n + 1) level⌉ ≤ n, that is n ≥ level / (1 − level).
std::int64_t nodes_needed(double level) {
  check_level(level);
  auto n = static_cast<std::int64_t>(level / (1 - level));
  while (rank_of(n, level) > n) ++n;
  return n;
}

}  // namespace heatfront
