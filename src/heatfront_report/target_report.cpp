// SPDX-License-Identifier: MIT
#include "heatfront_report/target_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_io/tables/target_table.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/evaluation_tables.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/tables.h"
#include "heatfront_report/target_scores.h"

namespace heatfront {
namespace {

constexpr std::size_t kMostMoved = 10;    // nodes
constexpr std::size_t kMostClasses = 40;  // rows

std::string intervals_text(const TargetIntervals& intervals, const Targets& targets) {
  std::vector<std::string> parts;
  const std::vector<std::string> names = shown_columns(targets);
  for (std::size_t c = 0; c < names.size(); ++c)
    parts.push_back((names.size() == 1 ? "" : names[c] + " ") + "± " + value_text(intervals.radius[c]));
  std::string text =
      fmt::format("{:.4g} % within {}, judged on {}", 100 * intervals.level, join(parts, ", "),
                  counted(intervals.calibrated_on, intervals.left_out ? "label" : "validation node",
                          intervals.left_out ? " left out" : ""));
  if (std::ranges::any_of(intervals.radius, [](double r) { return std::isinf(r); }))
    text += fmt::format(" (too few for {:.4g} %: give more labels, or a lower --coverage)",
                        100 * intervals.level);
  return text;
}

Json intervals_json(const TargetIntervals& intervals, const Targets& targets) {
  Json radius = Json::object();
  for (std::size_t c = 0; c < targets.columns(); ++c)
    radius[targets.names[c]] = json_number(intervals.radius[c]);
  return {{"coverage", intervals.level},
          {"calibrated_on", intervals.calibrated_on},
          {"from", intervals.left_out ? "labels left out" : "validation nodes"},
          {"radius", radius}};
}

Json columns_json(const TargetModel& model) {
  return {{"dataset", model.data.name},
          {"model", model.model},
          {"labels", json_of(model.data.targets)},
          {"split", json_of(model.split())},
          {"known", model.known.size()}};
}

std::string how_it_flows(const TargetModel& model) {
  if (!model.entry().has_flow) return "";
  return fmt::format(", flows to t = {}", model.flow_time);
}

std::string thresholds_text(const TargetModel& model) {
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < std::min(kTargetsShown, model.thresholds.size()); ++c)
    parts.push_back(fmt::format("{} {:.3g}", printable(model.data.targets.names[c]), model.thresholds[c]));
  return join(parts, ", ") + (model.thresholds.size() > kTargetsShown ? ", …" : "");
}

std::string class_table(const TargetScores& scores, const TargetModel& model) {
  TextRows rows = {{"class", "threshold", "nodes", "given", "precision", "recall", "F1"}};
  for (std::size_t c = 0; c < std::min(kMostClasses, scores.classes.size()); ++c) {
    const ClassF1& one = scores.classes[c];
    rows.push_back({model.data.targets.names[c], fmt::format("{:.3g}", model.thresholds[c]), grouped(one.had),
                    grouped(one.said), share_text(one.precision), share_text(one.recall),
                    share_text(one.f1)});
  }
  std::string text = text_table(rows);
  if (scores.classes.size() > kMostClasses)
    text += fmt::format("\n({} more classes: --json has them)", scores.classes.size() - kMostClasses);
  return text;
}

}  // namespace

Json json_of(const TargetFit& fit) {
  const Targets& targets = fit.model.data.targets;
  Json object = columns_json(fit.model);
  object["options"] = fit.model.options;
  object["flow_time"] = fit.model.flow_time;
  object["baselines"] = Json::array();
  for (const TargetCandidate& baseline : fit.baselines)
    object["baselines"].push_back({{"name", baseline.name}, {"left_out", json_of(baseline.scores, targets)}});
  object["candidates"] = Json::array();
  for (const TargetCandidate& candidate : fit.candidates)
    object["candidates"].push_back({{"model", candidate.name},
                                    {"left_out", json_of(candidate.scores, targets)},
                                    {"seconds", candidate.seconds}});
  object["left_out"] = json_of(fit.candidates[fit.chosen].scores, targets);
  if (!fit.model.thresholds.empty()) object["thresholds"] = fit.model.thresholds;
  return object;
}

std::string text_of(const TargetFit& fit) {
  const TargetModel& model = fit.model;
  const Targets& targets = model.data.targets;
  TextRows rows = {score_heading(targets, "  tried, judged by labels left out")};
  rows[0].push_back("time");
  for (const TargetCandidate& baseline : fit.baselines)
    rows.push_back(score_row(baseline.scores, "  " + baseline.name));
  for (std::size_t i = 0; i < fit.candidates.size(); ++i) {
    rows.push_back(
        score_row(fit.candidates[i].scores, "  " + fit.candidates[i].name + (i == fit.chosen ? " ←" : "")));
    rows.back().push_back(time_text(fit.candidates[i].seconds));
  }
  std::string text =
      fmt::format("{}: {}, {}, {}\n\n{}{}\n\n  chosen     {}{}", printable(model.data.name), model.model,
                  text_of(targets), counted(std::ssize(model.known.nodes), "label", ", all of which train"),
                  text_table(rows), rest_of_columns(targets), model.model, how_it_flows(model));
  if (!model.thresholds.empty()) text += "\n  thresholds " + thresholds_text(model);
  return text;
}

std::string after_training(const TargetSession& session, const TargetAnswer& answer,
                           const TargetIntervals& intervals) {
  const TargetModel& model = session.model();
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  std::string text;
  if (model.thresholds.empty()) text += "\n  intervals  " + intervals_text(intervals, model.data.targets);
  if (!judges.validation.empty())
    text += "\n  validation " + scores_text(scores_at(model, answer, judges.validation), model.data.targets);
  if (!judges.test.empty())
    text += "\n  test       " + scores_text(scores_at(model, answer, judges.test), model.data.targets);
  return text;
}

Json json_of(const TargetSession& session) {
  const TargetModel& model = session.model();
  const Judged judged = judged_by(model.split(), model.known.nodes);
  Json object = columns_json(model);
  object["validation_labels_included"] = judged.validation_included;
  object["test_labels_included"] = judged.test_included;
  return object;
}

std::string text_of(const TargetSession& session) {
  const TargetModel& model = session.model();
  return fmt::format("{}: {}, {}, {}{}", printable(model.data.name), model.model, text_of(model.data.targets),
                     counted(std::ssize(model.known.nodes), "known label"),
                     included_text(judged_by(model.split(), model.known.nodes)));
}

Json json_of(const TargetSession& session, const TargetAnswer& answer, const TargetIntervals& intervals) {
  const TargetModel& model = session.model();
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  Json object = json_of(session);
  object.update(json_of(answer.report));
  object["validation"] = json_of(scores_at(model, answer, judges.validation), model.data.targets);
  object["test"] = json_of(scores_at(model, answer, judges.test), model.data.targets);
  if (model.thresholds.empty()) object["intervals"] = intervals_json(intervals, model.data.targets);
  object.update(status_json(answer));
  object["seconds"] = answer.report.seconds;
  return object;
}

std::string text_of(const TargetSession& session, const TargetAnswer& answer,
                    const TargetIntervals& intervals) {
  const TargetModel& model = session.model();
  const Targets& targets = model.data.targets;
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  const Targets truth = targets_at(targets, model.left_out);
  std::string text = text_of(session) + "\n";
  text += fmt::format("  left out   {}\n",
                      scores_text(left_out_scores(truth, model.left_out_said, model.units), targets));
  if (!judges.test.empty())
    text += fmt::format("  test       {}\n", scores_text(scores_at(model, answer, judges.test), targets));
  if (model.thresholds.empty()) text += fmt::format("  intervals  {}\n", intervals_text(intervals, targets));
  return text + "  nodes      " + status_text(answer);
}

TargetLabelReport label_report(const Targets& before, const Targets& after, std::vector<MovedTarget> moved,
                               bool trained) {
  TargetLabelReport report{.moved = std::move(moved), .trained = trained};
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto place = before.place_of(after.nodes[i]);
    report.set += !place || !std::ranges::equal(before.row(*place), after.row(i));
  }
  for (NodeId u : before.nodes) report.removed += !after.place_of(u);
  return report;
}

Json json_of(const TargetLabelReport& report, const TargetModel& model) {
  Json moved = Json::array();
  for (const MovedTarget& node : report.moved)
    moved.push_back({{"node", model.data.node_name(node.node)},
                     {"column", model.data.targets.names[node.column]},
                     {"before", node.before},
                     {"after", node.after}});
  return {{"set", report.set}, {"removed", report.removed}, {"trained", report.trained}, {"moved", moved}};
}

std::string text_of(const TargetLabelReport& report, const TargetModel& model) {
  std::string text = fmt::format("{} set, {} removed; {} moved", counted(report.set, "label"), report.removed,
                                 counted(std::ssize(report.moved), "other node"));
  if (report.moved.empty()) return text;
  const Targets& targets = model.data.targets;
  TextRows rows = {{"node", targets.kind == LabelKind::many ? "class" : "value", "before", "after"}};
  for (std::size_t i = 0; i < std::min(kMostMoved, report.moved.size()); ++i) {
    const MovedTarget& node = report.moved[i];
    rows.push_back({model.data.node_name(node.node), targets.names[node.column], value_text(node.before),
                    value_text(node.after)});
  }
  text += "\n\n" + text_table(rows);
  if (report.moved.size() > kMostMoved)
    text += fmt::format("\n… and {} more", report.moved.size() - kMostMoved);
  return text;
}

Json json_of(const TargetEvaluation& evaluation, const TargetModel& model) {
  const Targets& targets = model.data.targets;
  Json object = columns_json(model);
  object["test"] = json_of(evaluation.test, targets);
  object["validation"] = json_of(evaluation.validation, targets);
  object["left_out"] = json_of(evaluation.left_out, targets);
  object["beside"] = {{"judged_by", evaluation.by_test ? "test nodes" : "labels left out"},
                      {"mean", json_of(evaluation.mean, targets)},
                      {"neighbours", json_of(evaluation.neighbours, targets)}};
  if (model.thresholds.empty()) {
    object["intervals"] = intervals_json(evaluation.intervals, targets);
    Json covered = Json::object();
    for (std::size_t c = 0; c < targets.columns(); ++c)
      covered[targets.names[c]] = json_number(evaluation.covered[c]);
    object["intervals"]["covered_on_test"] = covered;
  } else {
    object["thresholds"] = model.thresholds;
    if (evaluation.retrieval.label != kUnknown)
      object["ranking"] = json_of(evaluation.retrieval, targets.names[at(evaluation.retrieval.label)]);
  }
  return object;
}

std::string text_of(const TargetEvaluation& evaluation, const TargetModel& model) {
  const Targets& targets = model.data.targets;
  TextRows rows = {score_heading(targets, "judged by")};
  rows[0].insert(rows[0].begin() + 1, "nodes");
  const auto add = [&](std::string name, const TargetScores& scores) {
    if (scores.nodes == 0) return;
    rows.push_back(score_row(scores, std::move(name)));
    rows.back().insert(rows.back().begin() + 1, grouped(scores.nodes));
  };
  add("test nodes", evaluation.test);
  add("validation nodes", evaluation.validation);
  add("labels left out", evaluation.left_out);
  const std::string by = evaluation.by_test ? "test nodes" : "labels left out";
  add("the mean, " + by, evaluation.mean);
  add("neighbours' mean, " + by, evaluation.neighbours);
  std::string text = fmt::format("{}: {}, {}, {}\n\n{}{}", printable(model.data.name), model.model,
                                 text_of(targets), counted(std::ssize(model.known.nodes), "known label"),
                                 text_table(rows), rest_of_columns(targets));
  if (!model.thresholds.empty())
    return text + "\n\n" + class_table(evaluation.by_test ? evaluation.test : evaluation.left_out, model) +
           (evaluation.retrieval.label == kUnknown
                ? ""
                : "\n\n" + text_of(evaluation.retrieval, targets.names[at(evaluation.retrieval.label)]));
  text += "\n\nintervals  " + intervals_text(evaluation.intervals, targets);
  if (evaluation.by_test) {
    std::vector<std::string> parts;
    for (std::size_t c = 0; c < std::min(kTargetsShown, targets.columns()); ++c)
      parts.push_back(percent(evaluation.covered[c]));
    text += "\nwithin     " + join(parts, ", ") + " of the test nodes";
  }
  return text;
}

}  // namespace heatfront
