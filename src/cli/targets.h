// SPDX-License-Identifier: MIT
// What commands do where labels are values, or several per node. Each command looks at its data or its model and calls one of these.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "heatfront/label/target_flow.h"
#include "heatfront/label/target_session.h"
#include "heatfront/train/target_fit.h"

namespace heatfront::cli {

struct TargetFiles {
  std::filesystem::path output, predictions, plot;
  bool draw = false;
};

void solve_targets(const TargetFlowTask& task, const TargetFiles& files, Console& console);
void sweep_targets(const TargetFlowTask& task, const std::string& times, const TargetFiles& files,
                   Console& console);
void train_targets(const Dataset& dataset, const TargetFitOptions& options,
                   const std::filesystem::path& output, Console& console);

struct TargetPredictions {
  std::filesystem::path output;
  AddArgument add;
  double coverage = kUsualCoverage;
  std::string rank;  // empty: all nodes
  std::int64_t count = 50;
  bool with_known = false;
};
void predict_targets(TargetModel model, const TargetPredictions& arguments, Console& console);

struct TargetLabels {
  std::filesystem::path labels, output, held;
  AddArgument add;
  std::vector<std::string> set, unset;
  bool include_validation = false, undo = false, train = false;

  bool changes() const {
    return include_validation || undo || train || !labels.empty() || !set.empty() || !unset.empty();
  }
};
void label_targets(TargetModel model, const TargetLabels& arguments, Console& console);

struct TargetQuestions {
  std::filesystem::path nodes, report;
  std::string node, rank;  // one of these three is given
  std::int64_t count = 50;
};
void explain_targets(TargetModel model, const TargetQuestions& arguments, Console& console);
void evaluate_targets(TargetModel model, double coverage, const std::string& about, Console& console);

// Error where one of these flags was given, which are for labels that are classes.
struct ClassFlag {
  std::string_view name;
  bool given;
};
void refuse_class_flags(std::initializer_list<ClassFlag> flags);

}  // namespace heatfront::cli
