// SPDX-License-Identifier: MIT
// Accuracy over t: what a user looks at to choose the time, and the choice itself, made on validation labels
// only.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/progress.h"
#include "heatfront/data/dataset.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/label/flow_task.h"
#include "heatfront/label/rank_task.h"

namespace heatfront {

struct SweepPoint {
  double time = 0;
  double train_accuracy = 0, validation_accuracy = 0,
         test_accuracy = 0;    // shares; NaN where there are no such nodes
  double validation_loss = 0;  // mean cross-entropy of the temperatures
  double energy = 0;           // Dirichlet energy, all classes together
  std::int64_t undecided = 0;

  // With class masses by the shares of the known labels; NaN of a front or a free flow, which have none.
  double masses_validation_accuracy = std::numeric_limits<double>::quiet_NaN(),
         masses_test_accuracy = masses_validation_accuracy;
  double changed =
      masses_validation_accuracy;  // share of the unknown nodes that these give another class than at the time before; NaN at the first
};

struct Sweep {
  std::vector<SweepPoint> points;  // by ascending time
  std::size_t best =
      0;  // the highest validation accuracy; of equals the lowest loss, then the first. Without validation nodes
          // where the plateau begins, else the last
  bool validated = true;               // there were validation nodes to choose by
  std::optional<std::size_t> plateau;  // with class masses hardly a node changes its class from here on
  std::int64_t unreached = 0;
  SolveReport report;
};

// "0.1:100:log40": 40 times from 0.1 to 100, evenly in the logarithm; "0:10:lin21" evenly; or "1,5,20" one by
// one.
std::vector<double> parse_times(std::string_view text);

// Whether data without a split has labels enough for one that judges (percent 40,40): five of every class, or labels that are no
// classes. With fewer all are known, and the curve shows where it comes to rest.
bool has_labels_to_judge(const Dataset& dataset);

// Whether there were labels to tell accuracy by.
bool is_judged(const Sweep& sweep);

// Such a range from about `longest` to a hundred times as long, in numbers that one would type; empty where a curve
// cannot be followed that long.
std::string longer_times(double longest);

Sweep sweep_times(const Dataset& dataset, const Split& split, const DirichletProblem& problem,
                  const FlowOptions& options, std::span<const double> times, Threads& threads,
                  const ProgressCallback& progress);

// The same of a task. Error where every label is known: then there is nothing to see.
Sweep sweep_times(const FlowTask& task, std::span<const double> times, Threads& threads,
                  const ProgressCallback& progress);

// The same of a task whose graph is in parts on several ranks (label/rank_task.h). Collective; the same on all of them.
Sweep sweep_on_ranks(const FlowTask& task, const RankGraph& graph, std::span<const double> times,
                     const Cluster& cluster, Threads& threads, const ProgressCallback& progress);

// Whether validation accuracy and loss stay as they are from half the longest time on, so that longer times change nothing.
bool is_settled(const Sweep& sweep);

}  // namespace heatfront
