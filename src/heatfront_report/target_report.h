// SPDX-License-Identifier: MIT
// Values and many labels as JSON and text: what training, a flow, a model in use, changed labels and an evaluation came to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heatfront/label/target_flow.h"
#include "heatfront/label/target_session.h"
#include "heatfront/train/target_fit.h"
#include "heatfront_report/drawing/chart.h"
#include "heatfront_report/figures.h"

namespace heatfront {

// What the labels are: "3 values", "12 classes, several per node".
std::string text_of(const Targets& targets);
Json json_of(const Targets& targets);

Json json_of(const TargetScores& scores, const Targets& targets);

Json json_of(const TargetFit& fit);
std::string text_of(const TargetFit& fit);

// What follows it: errors on test nodes, and intervals.
std::string after_training(const TargetSession& session, const TargetAnswer& answer,
                           const TargetIntervals& intervals);

Json json_of(const TargetFlowTask& task, const TargetFlowSolution& solution);
std::string text_of(const TargetFlowTask& task, const TargetFlowSolution& solution);

Json json_of(const TargetFlowTask& task, const TargetSweep& sweep);
std::string text_of(const TargetFlowTask& task, const TargetSweep& sweep);
std::string csv_of(const TargetFlowTask& task, const TargetSweep& sweep);
Chart chart_of(const TargetFlowTask& task, const TargetSweep& sweep);

// A model in use.
Json json_of(const TargetSession& session);
std::string text_of(const TargetSession& session);
Json json_of(const TargetSession& session, const TargetAnswer& answer, const TargetIntervals& intervals);
std::string text_of(const TargetSession& session, const TargetAnswer& answer,
                    const TargetIntervals& intervals);

// What changed labels did.
struct TargetLabelReport {
  std::int64_t set = 0, removed = 0;
  std::vector<MovedTarget> moved;
  bool trained = false;
};
TargetLabelReport label_report(const Targets& before, const Targets& after, std::vector<MovedTarget> moved,
                               bool trained);
Json json_of(const TargetLabelReport& report, const TargetModel& model);
std::string text_of(const TargetLabelReport& report, const TargetModel& model);

Json json_of(const TargetExplanation& explanation, const TargetModel& model);
std::string text_of(const TargetExplanation& explanation, const TargetModel& model);

Json json_of(const TargetEvaluation& evaluation, const TargetModel& model);
std::string text_of(const TargetEvaluation& evaluation, const TargetModel& model);

}  // namespace heatfront
