// SPDX-License-Identifier: MIT
// A model of labels that are values, or several per node (data/targets.h). What it says of node u is
//
//     value(u) = centre + scale · f(u),     f(u) = z_uᵀ W + flow(u)
//
// a front that is linear in the features, as in linear-front, and heat that flows from the labelled nodes, which are held at
// what the front leaves of their labels. Either may be missing:
//
//     linear-front        the front alone
//     flow-alone          the flow alone, from the labels themselves: harmonic extension, stopped at a time
//     linear-front+flow   both: the clamped flow from a learned front
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/data/dataset.h"
#include "heatfront/flow/flow.h"
#include "heatfront/models/linear_front/linear_front.h"

namespace heatfront {

struct TargetModelEntry {
  std::string_view name;
  bool has_front, has_flow;
};
std::span<const TargetModelEntry> target_models();
const TargetModelEntry& find_target_model(std::string_view name);  // Error says which models can

// Heat keeps a mean where it is with the random walk only, so that is what values flow by.
struct TargetOptions {
  LinearFrontOptions front = {.laplacian = "random-walk"};
  std::vector<double> flow_time = {1, 2, 5, 10, 20, 50, 100};

  FlowOptions flow(double time) const;
};
OptionFields fields(TargetOptions& options);

// A label that was set, changed or removed after training; changes of one batch are undone together.
struct TargetChange {
  std::int64_t batch = 0;
  NodeId node = 0;
  std::vector<double> before, after;  // by column; empty: none
  std::int64_t time = 0;              // seconds since 1970; 0: not told
};

struct TargetModel {
  std::string model;                 // a name of target_models()
  std::vector<std::string> options;  // "name = value", all that it was trained with
  Dataset data;                    // its targets are all labels that there were; the split says which trained
  DatasetFingerprint fingerprint;  // of all the data
  TargetUnits units;
  std::vector<FittedFront> fronts;  // chosen; empty: it has none
  double flow_time = 0;             // chosen; 0: nothing flows
  Matrix front;                     // z_uᵀ W (n, columns) of the training labels; without rows: it has none
  std::vector<NodeId> left_out;     // training nodes, and in the units of the data
  std::vector<double> left_out_said;  // what is said of each without its own label
  std::vector<double> thresholds;     // of classes, by column; empty: labels are values
  Targets known;                      // held now
  std::vector<TargetChange> log;

  const TargetModelEntry& entry() const { return find_target_model(model); }
  TargetOptions target_options() const;
  const Split& split() const;
  Targets training_targets() const;
};

// Error (beginning with `where`) unless it is whole.
void check(const TargetModel& model, const std::string& where);

}  // namespace heatfront
