// SPDX-License-Identifier: MIT
// How good a trained model is, by the test nodes of its split: what it gets right, which classes it confuses,
// whether its confidence can be taken at its word, and sets of classes that hold the right one as often as
// was asked.
//
// Test nodes are judged and used for nothing else. What must be fitted, the softening of the shares and the
// threshold of the sets, comes from the validation nodes. Nodes whose label is held fixed do neither.
//
// A model that was trained on all labels has no test nodes. It is judged by what it said of labels that were left out
// (models/left_out.h), one half of them with what the other half fits. The truth is the labels as they are held now: one that
// was put right since training judges as it is now, and one that was taken away does not judge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heatfront/evaluate/calibration.h"
#include "heatfront/evaluate/conformal.h"
#include "heatfront/evaluate/confusion.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

struct EvaluationOptions {
  double coverage = 0.9;      // of the sets
  std::string score = "lac";  // of the sets
  ClassId about = kUnknown;   // how well nodes of this class are found; none: not asked
};

// Test nodes that are alike in something.
struct NodeGroup {
  std::string name;
  std::int64_t nodes = 0;
  double accuracy = 0, confidence = 0;  // means
  double coverage =
      0;  // the share of sets that hold the right class; NaN where nothing is left to calibrate on
  double set_size = 0;  // how many classes a set has; NaN likewise
};

struct Evaluation {
  std::vector<NodeId> nodes;  // judged
  bool by_left_out = false;   // they are training labels that were left out, else test nodes
  std::int64_t validation_held = 0, test_held = 0;  // nodes of the split whose label is held fixed
  std::int64_t relabelled = 0;  // labels left out in training that have been changed or taken away since

  double accuracy = 0;  // of the classes that are given, `prior` deciding where there is no heat
  ShareInterval accuracy_interval;
  double warmest_accuracy = 0;  // the same with class 0 where there is no heat, as the paper counts
  double macro_f1 = 0;
  Confusion confusion;
  std::vector<ClassScore> classes;
  bool uneven = false;        // are the known labels? (confusion.h)
  ClassId most_frequent = 0;  // class of the known labels
  double always = 0;          // accuracy of always naming it
  ClassRetrieval retrieval;

  double softening = 0;  // fitted; NaN where nothing can be
  Calibration as_given, scaled;

  ConformalSets sets;  // calibrated_on = 0: all classes, and no figures of them
  double coverage = 0;
  double coverage_by_chance = 0;  // its standard deviation when all is as it should be
  double set_size = 0;
  std::vector<std::int64_t> set_sizes;  // [k]: how many sets have k classes

  std::vector<NodeGroup> by_status, by_degree, by_distance;  // those that have nodes
};

// Error where there is neither a test node nor a label that was left out to judge by, and for options that make no sense.
Evaluation evaluate(const TrainedModel& model, const Answer& answer, const EvaluationOptions& options);

// The shares of a node at the fitted softening. An unreached node keeps the prior: nothing was fitted to
// those.
std::vector<double> calibrated_shares(const Evaluation& evaluation, const Answer& answer, NodeId u);

}  // namespace heatfront
