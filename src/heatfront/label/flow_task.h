// SPDX-License-Identifier: MIT
// Labels by the flow alone, nothing trained: which labels of a data set are held fixed, the flow from them, and how good its
// answer is by the labels that are not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/flow/energies/energies.h"
#include "heatfront/flow/flow_memory.h"
#include "heatfront/flow/volumes.h"
#include "heatfront/label/choose_flow.h"

namespace heatfront {

// Which labels are known, by name: part of the protocol of every number.
struct KnownSource {
  std::string_view name;
  bool train, validation;  // of the split; all labels there are where neither is set
};

std::span<const KnownSource> known_sources();                 // train, train+validation, all
const KnownSource* find_known_source(std::string_view name);  // null: none of these
const KnownSource& default_known_source(bool has_split);      // train where there is a split, else all
KnownLabels known_labels(const Dataset& dataset, const Split& split, const KnownSource& source);

struct FlowTask {
  Dataset dataset;
  std::string opened;              // what a user opened it by, for advice; empty: its name
  Split split = {.name = "none"};  // of this name: there is none
  std::string known_from;          // a KnownSource, or whatever else the known labels came from
  KnownLabels known;
  Matrix front;  // n × classes; empty: zero
  double label_scale = 1;
  bool free = false;  // nothing is held fixed
  FlowOptions options;
  EnergyOptions energy;  // another than the flow's own goes to rest, and takes nothing of `options`
  std::optional<std::vector<double>> class_prior;  // by class: each then gets this share of the heat
  std::optional<ClassVolumes> volumes;             // the sizes of the classes are kept within these
  bool chooses_time = false;   // choose_flow() says how long heat flows, whatever the options say,
  bool masses_allowed = true;  // and whether classes get shares of it, unless that is refused

  bool flows() const { return energy.name == kFlowEnergy; }
  bool has_split() const { return split.name != "none"; }
  DirichletProblem problem() const;  // lends what the task owns
  std::vector<double> prior()
      const;  // the shares of the classes: as given, or those of known sizes, or of the known labels
  Judged judged() const;  // the split without the nodes whose label is given away as known
};

// Error unless there is something to spread: classes.
void check_classes(const Dataset& dataset);

// The same, and something to spread along: edges.
void check_spreads(const Dataset& dataset, const std::string& opened);

// The same, and Error unless there is a known label or a front, and every node of the split has a label.
void check(const FlowTask& task);

// The same of labels and options alone, whatever is known of edges.
void check_known(const FlowTask& task);

// What a user should know of the memory that the flow will take; nothing where it is little. Error for what cannot fit, with the
// --memory that would and what that does (`what_less_does`).
std::vector<std::string> memory_remarks(const FlowTask& task, const MemoryEstimate& estimate,
                                        std::string_view what_less_does);

// How classes of given sizes were come to.
struct KeptVolumes {
  std::vector<std::int64_t> sizes;      // nodes by class
  std::int64_t steps = 0, changed = 0;  // of threshold dynamics; nodes that the last of them changed
};

struct FlowSolution {
  Answer answer;
  FlowOptions options;  // those of the task, with the time that was chosen
  FlowChoice choice;
  std::optional<KeptVolumes> volumes;
  double train_accuracy, validation_accuracy, test_accuracy;  // NaN where there is nothing to judge by
  double seconds = 0;                                         // from graph and labels to temperatures
};

FlowSolution solve(const FlowTask& task, Threads& threads);

}  // namespace heatfront
