// SPDX-License-Identifier: MIT
// Which linear fronts answer: of all features × τ × ℓ × λ those that do best by labels that were left out, each label exactly and in its turn
// (leave_one_out.h). How good a front is, is the number of labels that it is right of and, which tells more where labels are few,
// the logarithm of the share that softmax(β f) gives each label's class, with β fitted to the front. Of each features × τ the best ℓ and λ
// count, and of these the best few; their mean, weighed by β and by how good they are, answers. Which are tried at all: front_search.h.
//
// How good that is cannot be read from the same numbers, for the best of many is the luckiest too. So the labels are shared out
// among folds, and those of one fold are answered, left out, by the fronts that the other folds would have chosen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/progress.h"
#include "heatfront/models/linear_front/front_setting.h"
#include "heatfront/models/linear_front/front_targets.h"

namespace heatfront {

struct ChosenFront {
  FrontSetting setting;
  double kappa = 0;
  double weight = 0;  // in the mean; they add up to 1
  Matrix alpha;       // (|L|, C); empty where the choice was made by a sample of the labels
};

struct FrontChoice {
  std::vector<ChosenFront> fronts;  // best first
  std::int64_t tried = 0;           // settings
  std::vector<NodeId> nodes;        // labelled, by which was chosen
  Matrix left_out;                  // (nodes, C): what is said of them without their own label
  std::int64_t products = 0;
};

// How many labels choose, where there are more: those of a sample, evenly by the order of the labels.
std::int64_t most_choosing(std::int64_t features);

// `weights`: of the edges, in place of the data's own. `flow`: Laplacian and tolerance; its time and loop are those of the choices.
FrontChoice choose_fronts(const Dataset& dataset, std::span<const Real> weights,
                          std::span<const FrontFeatures> features, const FrontChoices& choices,
                          const FrontTargets& targets, const FlowOptions& flow, Threads& threads,
                          const ProgressCallback& progress = {});
FrontChoice choose_fronts(const Dataset& dataset, std::span<const Real> weights,
                          std::span<const FrontFeatures> features, const FrontChoices& choices,
                          const KnownLabels& known, const FlowOptions& flow, Threads& threads,
                          const ProgressCallback& progress = {});

}  // namespace heatfront
