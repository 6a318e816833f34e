// SPDX-License-Identifier: MIT
// Values, or many labels per node, by the flow alone, nothing trained: labelled nodes are held at their values, all others begin at the
// mean of these, and heat flows; to rest it is the harmonic extension, in which every node is the mean of its neighbours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heatfront/base/progress.h"
#include "heatfront/evaluate/target_metrics.h"
#include "heatfront/models/targets/target_predictor.h"

namespace heatfront {

struct TargetFlowTask {
  Dataset dataset;
  Split split = {.name = "none"};  // of this name: there is none
  std::string known_from;
  Targets known;
  FlowOptions options;

  bool has_split() const { return split.name != "none"; }
  Judged judged() const { return judged_by(split, known.nodes); }
};
void check(const TargetFlowTask& task);

struct TargetFlowSolution {
  TargetAnswer answer;
  std::vector<double>
      thresholds;  // of classes, by labels left out a fold at a time; empty: labels are values
  TargetScores validation, test;
  TargetScores mean, neighbours;  // of the test nodes; without nodes where there are none
};
TargetFlowSolution solve_targets(const TargetFlowTask& task, Threads& threads);

struct TargetSweepPoint {
  double time = 0;
  TargetScores validation, test;
};

// At every time; best: the smallest squared error on the validation nodes.
struct TargetSweep {
  std::vector<TargetSweepPoint> points;
  std::size_t best = 0;
  SolveReport report;
};
TargetSweep sweep_targets(const TargetFlowTask& task, std::span<const double> times, Threads& threads,
                          const ProgressCallback& progress);

}  // namespace heatfront
