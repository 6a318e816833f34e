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
#include "heatfront_report/flow_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

constexpr std::size_t kMostShown = 4;     // columns of a table
constexpr std::size_t kMostMoved = 10;    // nodes
constexpr std::size_t kMostClasses = 40;  // rows

std::string value_text(double value) {
  if (std::isnan(value)) return "–";
  return std::isinf(value) ? "∞" : fmt::format("{:.4g}", value);
}

std::string share_text(double value) { return std::isnan(value) ? "–" : fmt::format("{:.3f}", value); }

std::vector<std::string> shown_columns(const Targets& targets) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < std::min(kMostShown, targets.columns()); ++c)
    names.push_back(printable(targets.names[c]));
  return names;
}

// The heading of a table whose rows are scores, and a row.
std::vector<std::string> score_heading(const Targets& targets, std::string first) {
  std::vector<std::string> row = {std::move(first)};
  if (targets.kind == LabelKind::many) {
    row.insert(row.end(), {"micro F1", "macro F1"});
    return row;
  }
  const bool alone = targets.columns() == 1;
  for (const std::string& name : shown_columns(targets)) {
    row.push_back(alone ? "RMSE" : name + " RMSE");
    row.insert(row.end(), {"MAE", "R²"});
  }
  return row;
}

std::vector<std::string> score_row(const TargetScores& scores, std::string first) {
  std::vector<std::string> row = {std::move(first)};
  if (!scores.classes.empty()) {
    row.insert(row.end(), {share_text(scores.micro_f1), share_text(scores.macro_f1)});
    return row;
  }
  for (std::size_t c = 0; c < std::min(kMostShown, scores.values.size()); ++c)
    row.insert(row.end(), {value_text(scores.values[c].rmse), value_text(scores.values[c].mae),
                           share_text(scores.values[c].r2)});
  return row;
}

std::string rest_of_columns(const Targets& targets) {
  if (targets.kind == LabelKind::many || targets.columns() <= kMostShown) return "";
  return fmt::format("\n  ({} more values: --json has them)", targets.columns() - kMostShown);
}

std::string scores_text(const TargetScores& scores, const Targets& targets) {
  if (scores.nodes == 0) return "–";
  if (targets.kind == LabelKind::many)
    return fmt::format("micro F1 {}, macro F1 {}", share_text(scores.micro_f1), share_text(scores.macro_f1));
  std::vector<std::string> parts;
  const std::vector<std::string> names = shown_columns(targets);
  for (std::size_t c = 0; c < names.size(); ++c)
    parts.push_back(fmt::format("{}RMSE {}, MAE {}, R² {}", names.size() == 1 ? "" : names[c] + " ",
                                value_text(scores.values[c].rmse), value_text(scores.values[c].mae),
                                share_text(scores.values[c].r2)));
  return join(parts, "; ");
}

std::string intervals_text(const TargetIntervals& intervals, const Targets& targets) {
  std::vector<std::string> parts;
  const std::vector<std::string> names = shown_columns(targets);
  for (std::size_t c = 0; c < names.size(); ++c)
    parts.push_back((names.size() == 1 ? "" : names[c] + " ") + "± " + value_text(intervals.radius[c]));
  std::string text =
      fmt::format("{:.4g} % within {}, by {}", 100 * intervals.level, join(parts, ", "),
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
  for (std::size_t c = 0; c < std::min(kMostShown, model.thresholds.size()); ++c)
    parts.push_back(fmt::format("{} {:.3g}", printable(model.data.targets.names[c]), model.thresholds[c]));
  return join(parts, ", ") + (model.thresholds.size() > kMostShown ? ", …" : "");
}

std::string status_text(const TargetAnswer& answer) {
  std::vector<std::string> parts;
  for (TargetStatus status : {TargetStatus::known, TargetStatus::estimated, TargetStatus::unreached})
    parts.push_back(fmt::format("{} {}", grouped(answer.count(status)), name_of(status)));
  return join(parts, ", ");
}

Json status_json(const TargetAnswer& answer) {
  Json object = Json::object();
  for (TargetStatus status : {TargetStatus::known, TargetStatus::estimated, TargetStatus::unreached})
    object[std::string(name_of(status))] = answer.count(status);
  return object;
}

std::string what_a_flow_knows(const TargetFlowTask& task) {
  const std::string split =
      task.has_split() ? fmt::format("split {} (hash {})", printable(task.split.name), task.split.hash())
                       : "no split";
  return fmt::format("{}, {}, {} ({}{})", text_of(task.dataset.targets), split,
                     counted(std::ssize(task.known.nodes), "known label"), printable(task.known_from),
                     included_text(task.judged()));
}

Json flow_json(const TargetFlowTask& task) {
  const Judged judged = task.judged();
  return {{"dataset", task.dataset.name},
          {"labels", json_of(task.dataset.targets)},
          {"split", task.has_split() ? json_of(task.split) : Json()},
          {"known_from", task.known_from},
          {"known", task.known.size()},
          {"validation_labels_included", judged.validation_included},
          {"test_labels_included", judged.test_included},
          {"laplacian", name_of(task.options.laplacian.kind)},
          {"self_loop_weight", task.options.laplacian.self_loop}};
}

std::string class_table(const TargetScores& scores, const TargetModel& model) {
  TextRows rows = {{"class", "threshold", "nodes", "said", "precision", "recall", "F1"}};
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

std::string attribute_text(const TargetAttributeShare& share, const Dataset& data) {
  return share.is_node ? "being near " + data.node_name(static_cast<NodeId>(share.column))
                       : data.feature_name(share.column);
}

}  // namespace

std::string text_of(const Targets& targets) {
  if (targets.kind == LabelKind::many)
    return fmt::format("{} {}, several per node", targets.columns(),
                       targets.columns() == 1 ? "class" : "classes");
  const std::string names =
      join(shown_columns(targets), ", ") + (targets.columns() > kMostShown ? ", …" : "");
  return fmt::format("values of {}", names);
}

Json json_of(const Targets& targets) {
  return {{"kind", entry_of(targets.kind).name}, {"columns", targets.names}, {"labelled", targets.size()}};
}

Json json_of(const TargetScores& scores, const Targets& targets) {
  Json object = {{"nodes", scores.nodes}};
  if (targets.kind == LabelKind::many) {
    object["micro_f1"] = json_number(scores.micro_f1);
    object["macro_f1"] = json_number(scores.macro_f1);
    for (std::size_t c = 0; c < scores.classes.size(); ++c) {
      const ClassF1& one = scores.classes[c];
      object["classes"][targets.names[c]] = {{"nodes", one.had},
                                             {"said", one.said},
                                             {"precision", json_number(one.precision)},
                                             {"recall", json_number(one.recall)},
                                             {"f1", json_number(one.f1)}};
    }
    return object;
  }
  for (std::size_t c = 0; c < scores.values.size(); ++c)
    object["values"][targets.names[c]] = {{"rmse", json_number(scores.values[c].rmse)},
                                          {"mae", json_number(scores.values[c].mae)},
                                          {"r2", json_number(scores.values[c].r2)}};
  return object;
}

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

Json json_of(const TargetFlowTask& task, const TargetFlowSolution& solution) {
  const Targets& targets = task.dataset.targets;
  Json object = flow_json(task);
  object["solver"] = solver_of(task.options).name;
  object["time"] = is_forever(task.options) ? Json("inf") : Json(task.options.time);
  object.update(json_of(solution.answer.report));
  object["seconds"] = solution.answer.report.seconds;
  object["validation"] = json_of(solution.validation, targets);
  object["test"] = json_of(solution.test, targets);
  object["mean_on_test"] = json_of(solution.mean, targets);
  object["neighbours_on_test"] = json_of(solution.neighbours, targets);
  object["nodes"] = status_json(solution.answer);
  return object;
}

std::string text_of(const TargetFlowTask& task, const TargetFlowSolution& solution) {
  const Targets& targets = task.dataset.targets;
  const SolveReport& report = solution.answer.report;
  const std::string time = is_forever(task.options) ? "inf" : fmt::format("{}", task.options.time);
  std::string text = fmt::format(
      "{}: {}\n  solved     {} to t = {} in {}: {}\n", printable(task.dataset.name), what_a_flow_knows(task),
      solver_of(task.options).name, time, time_text(report.seconds), text_of(report));
  if (solution.validation.nodes > 0)
    text += fmt::format("  validation {}\n", scores_text(solution.validation, targets));
  if (solution.test.nodes > 0)
    text += fmt::format("  test       {}\n  beside     the mean: {}\n             neighbours' mean: {}\n",
                        scores_text(solution.test, targets), scores_text(solution.mean, targets),
                        scores_text(solution.neighbours, targets));
  return text + "  nodes      " + status_text(solution.answer);
}

Json json_of(const TargetFlowTask& task, const TargetSweep& sweep) {
  const Targets& targets = task.dataset.targets;
  const auto point_json = [&](const TargetSweepPoint& point) {
    return Json{{"time", point.time},
                {"validation", json_of(point.validation, targets)},
                {"test", json_of(point.test, targets)}};
  };
  Json object = flow_json(task);
  object["products"] = sweep.report.products;
  object["error_bound"] = json_number(sweep.report.error_bound);
  object["best"] = point_json(sweep.points[sweep.best]);
  object["selected_by"] = "validation squared error";
  object["points"] = Json::array();
  for (const TargetSweepPoint& point : sweep.points) object["points"].push_back(point_json(point));
  return object;
}

std::string text_of(const TargetFlowTask& task, const TargetSweep& sweep) {
  const Targets& targets = task.dataset.targets;
  TextRows rows = {{"", "t"}};
  for (std::string_view part : {"validation", "test"}) {
    std::vector<std::string> heading = score_heading(targets, "");
    for (std::size_t i = 1; i < heading.size(); ++i)
      rows[0].push_back(fmt::format("{} {}", part, heading[i]));
  }
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const TargetSweepPoint& point = sweep.points[i];
    rows.push_back({i == sweep.best ? ">" : "", fmt::format("{:.4g}", point.time)});
    for (const TargetScores* scores : {&point.validation, &point.test}) {
      const std::vector<std::string> cells = score_row(*scores, "");
      rows.back().insert(rows.back().end(), cells.begin() + 1, cells.end());
    }
  }
  const TargetSweepPoint& best = sweep.points[sweep.best];
  return fmt::format("{}: {}\n{}\nbest on validation: t = {:.4g}, there {}; on test {}",
                     printable(task.dataset.name), what_a_flow_knows(task), text_table(rows), best.time,
                     scores_text(best.validation, targets), scores_text(best.test, targets));
}

std::string csv_of(const TargetFlowTask& task, const TargetSweep& sweep) {
  const Targets& targets = task.dataset.targets;
  const bool many = targets.kind == LabelKind::many;
  std::string text = "time";
  for (std::string_view part : {"validation", "test"}) {
    if (many) text += fmt::format(",{0}_micro_f1,{0}_macro_f1", part);
    for (std::size_t c = 0; c < targets.columns() && !many; ++c) {
      for (std::string_view measure : {"rmse", "mae", "r2"})
        text += fmt::format(",{}", csv_cell(fmt::format("{}_{}_{}", part, measure, targets.names[c])));
    }
  }
  for (const TargetSweepPoint& point : sweep.points) {
    text += fmt::format("\n{}", point.time);
    for (const TargetScores* scores : {&point.validation, &point.test}) {
      if (many) text += fmt::format(",{},{}", csv_number(scores->micro_f1), csv_number(scores->macro_f1));
      for (const ValueErrors& errors : scores->values)
        text +=
            fmt::format(",{},{},{}", csv_number(errors.rmse), csv_number(errors.mae), csv_number(errors.r2));
    }
  }
  return text + "\n";
}

// The first value, or micro F1.
Chart chart_of(const TargetFlowTask& task, const TargetSweep& sweep) {
  const bool many = task.dataset.targets.kind == LabelKind::many;
  const std::string measure = many ? "micro F1" : "RMSE of " + task.dataset.targets.names[0];
  Chart chart{.title = task.dataset.name + ": " + measure + " over time",
              .x_name = "time t",
              .y_name = measure,
              .logarithmic_x = sweep.points.front().time > 0,
              .curves = {{"validation", {}}, {"test", {}}},
              .mark = sweep.points[sweep.best].time,
              .mark_name = fmt::format("best on validation: t = {:.4g}", sweep.points[sweep.best].time)};
  for (const TargetSweepPoint& point : sweep.points) {
    chart.x.push_back(point.time);
    chart.curves[0].values.push_back(many ? point.validation.micro_f1 : point.validation.values[0].rmse);
    chart.curves[1].values.push_back(many ? point.test.micro_f1 : point.test.values[0].rmse);
  }
  return chart;
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
  object["nodes"] = status_json(answer);
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

Json json_of(const TargetExplanation& e, const TargetModel& model) {
  const Dataset& data = model.data;
  Json labels = Json::array(), attributes = Json::array();
  for (const TargetLabelShare& share : e.labels)
    labels.push_back({{"node", data.node_name(share.node)},
                      {"value", share.value},
                      {"weight", share.weight},
                      {"adds", share.adds}});
  for (const TargetAttributeShare& share : e.attributes)
    attributes.push_back({{"attribute", attribute_text(share, data)}, {"adds", share.adds}});
  return {{"dataset", data.name},
          {"model", model.model},
          {"node", data.node_name(e.node)},
          {"column", data.targets.names[e.column]},
          {"status", name_of(e.status)},
          {"value", e.value},
          {"mean", e.centre},
          {"from_labels", json_number(e.from_labels)},
          {"from_attributes", json_number(e.from_attributes)},
          {"added_up", e.both ? "labels and attributes together" : "each alone"},
          {"residual", e.residual},
          {"labels", labels},
          {"attributes", attributes}};
}

std::string text_of(const TargetExplanation& e, const TargetModel& model) {
  const Dataset& data = model.data;
  std::string text =
      fmt::format("node {} of {}: {} {}, {}\n", printable(data.node_name(e.node)), printable(data.name),
                  printable(data.targets.names[e.column]), value_text(e.value), name_of(e.status));
  if (e.status == TargetStatus::known)
    return text + "Its label is known and held fixed, so nothing else counts.";
  if (e.status == TargetStatus::unreached)
    return text + "No label is connected to it, so it gets the mean of all.";
  text += fmt::format("That is the mean of the labels, {}, and what is added to it", value_text(e.centre));
  if (e.both) {
    text += fmt::format(
        ":\n{:+.4g} by its own attributes and its neighbourhood's, and {:+.4g} by labelled nodes that lie "
        "above or "
        "below what\ntheirs say.\n",
        e.from_attributes, e.from_labels);
  } else if (std::isnan(e.from_attributes)) {
    text += fmt::format(" by each known label, {:+.4g} in all.\n", e.from_labels);
  } else {
    text += fmt::format(
        ", {:+.4g}: the sum of what each known label gives, and also of what each attribute gives.\n",
        e.from_labels);
  }
  TextRows labels = {{"known label", "value", "weight", "adds"}};
  for (const TargetLabelShare& share : e.labels)
    labels.push_back({data.node_name(share.node), value_text(share.value),
                      fmt::format("{:.4f}", share.weight), fmt::format("{:+.4g}", share.adds)});
  if (labels.size() > 1) text += "\n" + text_table(labels) + "\n";
  TextRows attributes = {{"attribute, its own and its neighbourhood's", "adds"}};
  for (const TargetAttributeShare& share : e.attributes)
    attributes.push_back({attribute_text(share, data), fmt::format("{:+.4g}", share.adds)});
  if (attributes.size() > 1) text += "\n" + text_table(attributes) + "\n";
  return text + fmt::format("\nCheck: all parts add up to its value within {:.1e}.", e.residual);
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
    return text + "\n\n" + class_table(evaluation.by_test ? evaluation.test : evaluation.left_out, model);
  text += "\n\nintervals  " + intervals_text(evaluation.intervals, targets);
  if (evaluation.by_test) {
    std::vector<std::string> parts;
    for (std::size_t c = 0; c < std::min(kMostShown, targets.columns()); ++c)
      parts.push_back(percent(evaluation.covered[c]));
    text += "\nwithin     " + join(parts, ", ") + " of the test nodes";
  }
  return text;
}

}  // namespace heatfront
