// SPDX-License-Identifier: MIT
// What makes one linear front: of which features, how long they flow, and how large it may become; and the same as text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/models/linear_front/front_kernel.h"

namespace heatfront {

inline constexpr double kLeastRidge = 1e-6, kLargestRidge = 1e6;

struct FrontSetting {
  KernelSetting kernel;
  double ridge = 1;  // λ, in units of κ, the mean square of a labelled row of Z
};

// "tfidf 5 1 0.3": features, τ, ℓ and λ; several with a comma between them.
std::string text_of(std::span<const FrontSetting> settings);
std::vector<FrontSetting> front_settings(std::string_view text);  // Error says what is wrong

struct FittedFront {
  FrontSetting setting;
  double kappa = 0;
  double weight = 1;  // in the sum of the fronts
};

// What there is to choose from.
struct FrontChoices {
  std::vector<std::string> features;
  std::vector<double> times, self_loops, ridges;
  std::size_t average = 8;          // how many answer
  std::vector<double> centre = {};  // m, of what a label says; empty: even
  std::vector<double> offset = {};  // o (front_confidence.h); empty: 0
};

}  // namespace heatfront
