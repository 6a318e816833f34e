// SPDX-License-Identifier: MIT
// Which linear fronts answer: of all features × τ × ℓ × λ those that do best by labels that were left out, each label exactly and in its turn
// (leave_one_out.h). How good a front is, is the number of labels that it is right of and, which tells more where labels are few,
// the logarithm of the share that softmax(β f) gives each label's class, with β fitted to the front. Of each features × τ × ℓ the best λ
// counts, and of these the best few; their mean, weighed by β and by how good they are, answers. Of the ridges, those around the best
// one of the time before are tried, and further ones while they are better.
//
// How good that is cannot be read from the same numbers, for the best of many is the luckiest too. So the labels are shared out
// among folds, and those of one fold are answered, left out, by the fronts that the other folds would have chosen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/progress.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/models/linear_front/front_kernel.h"

namespace heatfront {

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

struct FrontChoices {
  std::vector<std::string> features;
  std::vector<double> times, self_loops, ridges;
  std::size_t average = 12;         // how many answer
  std::vector<double> centre = {};  // m, of what a label says; empty: even
};

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

inline constexpr double kLeastRidge = 1e-6, kLargestRidge = 1e6;
inline constexpr double kLeastConfidence = 0.1, kLargestConfidence = 1000;  // β

// How many labels choose, where there are more: those of a sample, evenly by the order of the labels.
std::int64_t most_choosing(std::int64_t features);

// What labelled nodes are told: y, a row for each, about zero in the mean of all.
struct FrontTargets {
  std::vector<NodeId> nodes;
  std::int64_t columns = 0;
  std::vector<double> values;  // (nodes, columns), row by row
  std::vector<ClassId> classes =
      {};  // of classes, fronts are chosen by how many they name; empty: by squared error alone

  std::span<const double> row(std::size_t i) const {
    return std::span(values).subspan(i * at(columns), at(columns));
  }
  Matrix matrix() const;
};

// e_label − m, one row per label; m_c of classes beyond the centre is 0, and 1/C of each where there is no centre.
FrontTargets front_targets(const KnownLabels& known, ClassId classes, std::span<const double> centre = {});
double centre_of(std::span<const double> centre, ClassId c, ClassId classes);

// So many of the labels, evenly by their order; all where there are no more.
FrontTargets sample_of(const FrontTargets& known, std::int64_t count);

// `weights`: of the edges, in place of the data's own. `flow`: Laplacian and tolerance; its time and loop are those of the choices.
FrontChoice choose_fronts(const Dataset& dataset, std::span<const Real> weights,
                          std::span<const FrontFeatures> features, const FrontChoices& choices,
                          const FrontTargets& targets, const FlowOptions& flow, Threads& threads,
                          const ProgressCallback& progress = {});
FrontChoice choose_fronts(const Dataset& dataset, std::span<const Real> weights,
                          std::span<const FrontFeatures> features, const FrontChoices& choices,
                          const KnownLabels& known, const FlowOptions& flow, Threads& threads,
                          const ProgressCallback& progress = {});

// β at which softmax(β scores) is likeliest, of labels one in |L| + 2 of which may be wrong.
// `weights`: by class, how much each of its labels counts; empty: all alike.
double fitted_confidence(ConstMatrixView scores, std::span<const ClassId> labels,
                         std::span<const double> weights = {});

}  // namespace heatfront
