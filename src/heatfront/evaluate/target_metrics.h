// SPDX-License-Identifier: MIT
// How good answers are where labels are values or several per node. Of values, by column and in its units,
//
//     RMSE = √(mean (said − value)²),   MAE = mean |said − value|,   R² = 1 − Σ (said − value)² / Σ (value − mean)²
//
// and of classes, which a node is said to have where its score is at least the threshold of the class,
//
//     F1 = 2 · right / (said + had)     micro: of all classes together, macro: the mean of the classes'
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/data/targets.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct ValueErrors {
  double rmse = 0, mae = 0, r2 = 0;  // NaN where there are no nodes; R² also where all values are equal
};

struct ClassF1 {
  std::int64_t had = 0, said = 0, right = 0;  // nodes
  double precision = 0, recall = 0, f1 = 0;   // NaN where none is said, had, or either
};

struct TargetScores {
  std::int64_t nodes = 0;
  std::vector<ValueErrors> values;    // by column; empty: labels are classes
  std::vector<ClassF1> classes;       // likewise
  double micro_f1 = 0, macro_f1 = 0;  // macro: of the classes that a node has or is said to have
  double mean_square = 0;  // of all columns together, in units of their scale: what models are chosen by
};

// What was said of nodes, row by row as the truth.
TargetScores value_scores(const Targets& truth, std::span<const double> said, const TargetUnits& units);
TargetScores class_scores(const Targets& truth, std::span<const double> said,
                          std::span<const double> thresholds, const TargetUnits& units);

// (said − value)² of a node, in units of the scale, summed over the columns.
std::vector<double> squared_errors(const Targets& truth, std::span<const double> said,
                                   const TargetUnits& units);

// The threshold with the highest F1 on these nodes, by class; of equals the highest. 0.5 for a class that none of them has.
std::vector<double> best_thresholds(const Targets& truth, std::span<const double> said);

// What scores would be with thresholds that the other folds of the same nodes chose: choosing and judging by the same ones would flatter.
TargetScores class_scores_by_folds(const Targets& truth, std::span<const double> said,
                                   const TargetUnits& units);

// What anybody would say who knows these labels and no model, of any of these nodes when its own label is left out: the mean of all, and
// that of the labelled neighbours by the weights of their edges (the mean of all where there is none).
std::vector<double> always_the_mean(const Targets& known, std::span<const NodeId> nodes);
std::vector<double> neighbours_mean(const Graph& graph, std::span<const Real> weights, const Targets& known,
                                    std::span<const NodeId> nodes);

}  // namespace heatfront
