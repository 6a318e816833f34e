// SPDX-License-Identifier: MIT
#include "heatfront_report/target_report.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/tables.h"
#include "heatfront_report/target_scores.h"

namespace heatfront {
namespace {

std::string what_a_flow_knows(const TargetFlowTask& task) {
  const std::string split = task.has_split() ? "split " + printable(task.split.name) : "no split";
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

}  // namespace

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
  object.update(status_json(solution.answer));
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

}  // namespace heatfront
