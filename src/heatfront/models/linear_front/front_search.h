// SPDX-License-Identifier: MIT
// Every linear front that is there to choose from, and what it says of each label when that is left out. Features × τ × ℓ are gone through,
// and of each the ridges around the best one of the time before, and further ones while they are better. All times of one loop come from
// one flow: of the labels, or of the features where these are fewer.
//
// Beside features, fronts that know the graph alone (identity) are tried too, for some times and the first loop. Their kernel needs no product:
// Z Zᵀ = H(τ) H(τ) = H(2τ), which is what the flow of the labels has after 2τ.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/progress.h"
#include "heatfront/models/linear_front/front_setting.h"
#include "heatfront/models/linear_front/front_targets.h"
#include "heatfront/models/linear_front/leave_one_out.h"

namespace heatfront {

// A front that was tried, and what it says of the labels that were left out.
struct TriedFront {
  FrontSetting setting;
  bool graph_alone = false;  // is_beside_others
  double kappa = 0;
  LeftOutFit fit;
  double confidence = 1;  // β of its own answers
  std::vector<double>
      merit;  // by label: 1 if right, and the logarithm of the share that its class has; or −|error|²
};

// How good a front is by the labels outside of one fold, or by all.
double score(const TriedFront& front, std::span<const std::size_t> folds = {}, std::size_t without = 0);

// Of the graph alone, beside features that know more.
bool is_beside_others(const FrontFeatures& x, std::span<const FrontFeatures> features);

struct FrontsTried {
  std::vector<TriedFront> fronts;
  std::int64_t products = 0;
};

// `weights`: of the edges, in place of the data's own. `flow`: Laplacian and tolerance; its time and loop are those of the choices.
FrontsTried try_fronts(const Dataset& dataset, std::span<const Real> weights,
                       std::span<const FrontFeatures> features, const FrontChoices& choices,
                       const FrontTargets& known, const FlowOptions& flow, Threads& threads,
                       const ProgressCallback& progress = {});

}  // namespace heatfront
