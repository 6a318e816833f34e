// SPDX-License-Identifier: MIT
// Values and many labels as JSON and text: what training, a flow, a model in use, changed labels and an evaluation came to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/label/growth.h"
#include "heatfront/label/target_flow.h"
#include "heatfront/label/target_session.h"
#include "heatfront/train/target_fit.h"
#include "heatfront_report/drawing/chart.h"
#include "heatfront_report/figures.h"
#include "heatfront_report/target_scores.h"

namespace heatfront {

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

// Every node's: [{node, status, values{…}, low{…}, high{…}}], or [{node, status, classes, scores{…}}]; from `first` on.
Json nodes_json(const TargetModel& model, const TargetAnswer& answer, const TargetIntervals& intervals,
                NodeId first = 0);
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

// Of many: a line each, and a page with everything.
std::string text_of(const std::vector<TargetExplanation>& explanations, const TargetSession& session);
std::string html_of(const std::vector<TargetExplanation>& explanations, const TargetSession& session);

// What adds most to it, in a line.
std::string reasons_text(const TargetExplanation& explanation, const Dataset& data);

Json json_of(const TargetRanking& ranking, const TargetModel& model);
std::string text_of(const TargetRanking& ranking, const TargetModel& model);
void write_ranking(const TargetRanking& ranking, const TargetModel& model, const std::filesystem::path& path);

// What new nodes have, and what they did to old ones; the table has the new nodes alone, with their reasons.
Json json_of(const GrownTargets& grown, const TargetIntervals& intervals);
std::string text_of(const GrownTargets& grown, const TargetIntervals& intervals);
void write_new_nodes(const GrownTargets& grown, const TargetIntervals& intervals,
                     const std::filesystem::path& path);

Json json_of(const TargetEvaluation& evaluation, const TargetModel& model);
std::string text_of(const TargetEvaluation& evaluation, const TargetModel& model);

}  // namespace heatfront
