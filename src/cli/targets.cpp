// SPDX-License-Identifier: MIT
#include "cli/targets.h"

#include <fmt/core.h>

#include "heatfront/data/names.h"
#include "heatfront_experiment/sweep.h"
#include "heatfront_io/files/file_lock.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/formats/target_model_file.h"
#include "heatfront_io/tables/target_table.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/target_report.h"

namespace heatfront::cli {
namespace target_commands {

std::string written_or(const std::filesystem::path& path, const std::string& advice) {
  return path.empty() ? "not written: " + advice : "written    " + path_text(path);
}

void set_target(TargetSession& session, std::string_view assignment) {
  const std::size_t sign = assignment.rfind('=');
  if (sign == assignment.npos || sign + 1 == assignment.size())
    fail("--set {}: it must be NODE={}", assignment,
         session.model().data.targets.kind == LabelKind::many ? "CLASS|CLASS" : "VALUE");
  session.set(find_node(session.model().data, assignment.substr(0, sign)),
              parse_target(assignment.substr(sign + 1), session.model().data.targets,
                           fmt::format("--set {}", assignment)));
}

void change_targets(const TargetLabels& arguments, TargetSession& session) {
  if (arguments.undo) session.undo();
  session.begin_batch();
  if (arguments.include_validation) session.include_validation();
  if (!arguments.labels.empty()) {
    const Targets labels = read_target_file(arguments.labels, session.model().data);
    for (std::size_t i = 0; i < labels.size(); ++i) session.set(labels.nodes[i], labels.row(i));
  }
  for (const std::string& name : arguments.unset) session.unset(find_node(session.model().data, name));
  for (const std::string& assignment : arguments.set) set_target(session, assignment);
  session.close_batch();
}

// All values; of classes those that the node is said to have, or the one with the highest score.
std::vector<std::size_t> columns_to_explain(const TargetModel& model, const TargetAnswer& answer,
                                            NodeId node) {
  std::vector<std::size_t> columns;
  const auto row = answer.row(node);
  for (std::size_t c = 0; c < row.size(); ++c)
    if (model.thresholds.empty() || row[c] >= model.thresholds[c]) columns.push_back(c);
  if (columns.empty()) columns.push_back(at(std::ranges::max_element(row) - row.begin()));
  return columns;
}

}  // namespace target_commands

using namespace target_commands;

void refuse_class_flags(std::initializer_list<ClassFlag> flags) {
  for (const ClassFlag& flag : flags)
    if (flag.given) fail("{} is for labels that are classes; these are not", flag.name);
}

void solve_targets(const TargetFlowTask& task, const TargetFiles& files, Console& console) {
  const TargetFlowSolution solution = heatfront::solve_targets(task, console.threads());
  if (!files.predictions.empty())
    write_target_predictions(task.dataset, solution.answer, {}, solution.thresholds, files.predictions);
  Json object = json_of(task, solution);
  object["predictions"] = json_path(files.predictions);
  console.result(object, text_of(task, solution) + "\n  " +
                             written_or(files.predictions, "--predictions FILE.csv saves every node's"));
}

void sweep_targets(const TargetFlowTask& task, const std::string& times, const TargetFiles& files,
                   Console& console) {
  const TargetSweep sweep =
      heatfront::sweep_targets(task, parse_times(times), console.threads(), console.progress());
  if (!files.plot.empty()) write_file(files.plot, svg_of(chart_of(task, sweep)));
  if (!files.output.empty()) write_file(files.output, csv_of(task, sweep));
  Json object = json_of(task, sweep);
  object["output"] = json_path(files.output);
  object["plot"] = json_path(files.plot);
  console.result(object, files.draw ? text_of(chart_of(task, sweep), 64, 14) : text_of(task, sweep));
}

void train_targets(const Dataset& dataset, const TargetFitOptions& options,
                   const std::filesystem::path& output, Console& console) {
  const TargetFit fit = fit_targets(dataset, options, console.threads(), console.progress());
  if (!output.empty()) {
    const FileLock lock(output);
    write_model(fit.model, output);
  }
  TargetSession session(fit.model, console.threads());
  const TargetAnswer answer = session.answer();
  const TargetIntervals intervals = intervals_of(fit.model, answer, kUsualCoverage);
  Json object = json_of(fit);
  const Json used = json_of(session, answer, intervals);
  for (const char* key : {"validation", "test", "intervals"})
    if (used.contains(key)) object[key] = used[key];
  object["output"] = output.string();
  console.result(object, text_of(fit) + after_training(session, answer, intervals) +
                             (output.empty() ? "\n  not saved  add -o MODEL to save it"
                                             : "\n  saved      " + path_text(output)));
}

void predict_targets(TargetModel model, double coverage, const std::filesystem::path& output,
                     Console& console) {
  TargetSession session(std::move(model), console.threads());
  const TargetAnswer answer = session.answer();
  const TargetIntervals intervals = intervals_of(session.model(), answer, coverage);
  if (!output.empty())
    write_target_predictions(session.model().data, answer, intervals.radius, session.model().thresholds,
                             output);
  Json object = json_of(session, answer, intervals);
  object["predictions"] = json_path(output);
  console.result(object, text_of(session, answer, intervals) + "\n  " +
                             written_or(output, "-o FILE.csv saves every node's"));
}

void label_targets(TargetModel held, const TargetLabels& arguments, Console& console) {
  TargetSession opened(std::move(held), console.threads());
  const TargetAnswer before = opened.answer();
  const Targets had = opened.known();
  change_targets(arguments, opened);
  std::optional<TargetSession> trained;
  if (arguments.train)
    trained.emplace(retrain(opened.model(), console.threads(), console.progress()).model, console.threads());
  TargetSession& session = trained ? *trained : opened;
  const TargetAnswer after = session.answer();
  const TargetModel& model = session.model();
  if (!arguments.output.empty()) write_model(model, arguments.output);

  const TargetLabelReport report =
      label_report(had, session.known(), moved_targets(model, before, after), arguments.train);
  Json object = json_of(session);
  object.update(json_of(report, model));
  object["saved"] = json_path(arguments.output);
  console.result(object, text_of(session) + "\n" + text_of(report, model) + "\n\n" +
                             (arguments.output.empty() ? "not saved: -o FILE keeps it"
                                                       : "saved to " + path_text(arguments.output)));
}

void explain_targets(TargetModel held, const std::string& name, Console& console) {
  TargetSession session(std::move(held), console.threads());
  const TargetModel& model = session.model();
  const NodeId node = find_node(model.data, name);
  const TargetAnswer answer = session.answer();
  Json object = json_of(session);
  object["explanations"] = Json::array();
  std::string text;
  for (std::size_t column : columns_to_explain(model, answer, node)) {
    const TargetExplanation explanation = explain_target(session, answer, node, column);
    object["explanations"].push_back(json_of(explanation, model));
    text += (text.empty() ? "" : "\n\n") + text_of(explanation, model);
  }
  console.result(object, text);
}

void evaluate_targets(TargetModel held, double coverage, Console& console) {
  TargetSession session(std::move(held), console.threads());
  const TargetEvaluation evaluation =
      heatfront::evaluate_targets(session.model(), session.answer(), coverage);
  console.result(json_of(evaluation, session.model()), text_of(evaluation, session.model()));
}

}  // namespace heatfront::cli
