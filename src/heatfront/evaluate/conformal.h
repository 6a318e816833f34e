// SPDX-License-Identifier: MIT
// Sets of classes that hold the right one as often as was asked, whatever the model (split conformal
// prediction). Of n nodes with known labels that took no part in training, with a score s that is high where
// a class fits badly,
//
//     set(u) = {c: s_c(u) ≤ q} and the likeliest class,     q: the ⌈(n + 1) level⌉-th smallest of s_label
//
// A new node that could have been one of the n as well has its class in the set with probability level or
// more. Where ⌈(n + 1) level⌉ > n the set is all classes: so few nodes can promise nothing less.
//
//     lac   s_c = 1 − p_c        the smallest sets on average (Sadinle, Lei and Wasserman 2019)
//     aps   s_c = Σ p_d over the d likelier than c: larger sets for doubtful nodes, smaller ones for clear
//           ones (Romano, Sesia and Candès 2020, without their random part)
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/evaluate/judged_shares.h"

namespace heatfront {

struct ConformalScore {
  std::string_view name;
  std::string_view what;
  std::vector<double> (*of)(std::span<const double> shares);  // by class
};

std::span<const ConformalScore> conformal_scores();
const ConformalScore& find_conformal_score(std::string_view name);  // Error lists those there are

struct ConformalSets {
  const ConformalScore* score = nullptr;
  double level = 0;
  std::int64_t calibrated_on = 0;  // nodes
  double threshold = 0;            // q; infinite: all classes

  // The likeliest class first.
  std::vector<ClassId> set_of(std::span<const double> shares) const;
};

// Error unless 0 < level < 1.
ConformalSets conformal_sets(const JudgedShares& calibration, double level, const ConformalScore& score);

// q of these scores; infinite where there are too few.
double conformal_threshold(std::vector<double> scores, double level);

// How many nodes a level needs at least: fewer make every set all classes.
std::int64_t nodes_needed(double level);

}  // namespace heatfront
