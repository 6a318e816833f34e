// SPDX-License-Identifier: MIT
#include "cli/targets.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/data/dataset.h"
#include "heatfront/label/growth.h"
#include "heatfront_experiment/sweep.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/formats/target_model_file.h"
#include "heatfront_io/tables/label_file.h"
#include "heatfront_io/tables/target_table.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/target_report.h"

namespace heatfront::cli {
namespace target_commands {

std::string written_or(const std::filesystem::path& path, const std::string& advice) {
  return path.empty() ? "not written: " + advice : "written    " + path_text(path);
}

void set_target(TargetSession& session, std::string_view assignment, ToldNodes& told) {
  const std::size_t sign = assignment.rfind('=');
  if (sign == assignment.npos || sign + 1 == assignment.size())
    fail("--set {}: it must be NODE={}", assignment,
         session.model().data.targets.kind == LabelKind::many ? "CLASS|CLASS" : "VALUE");
  const NodeId u = find_node(session.model().data, assignment.substr(0, sign));
  told.add(u, fmt::format("--set {}", assignment));
  session.set(u, parse_target(assignment.substr(sign + 1), session.model().data.targets,
                              fmt::format("--set {}", assignment)));
}

void change_targets(const TargetLabels& arguments, TargetSession& session) {
  session.set_time(now());
  if (arguments.undo) session.undo();
  session.begin_batch();
  ToldNodes told(session.model().data);
  if (arguments.include_validation) session.include_validation();
  if (!arguments.labels.empty()) {
    const Targets labels = read_target_file(arguments.labels, session.model().data);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      told.add(labels.nodes[i], fmt::format("--labels {}", arguments.labels.string()));
      session.set(labels.nodes[i], labels.row(i));
    }
  }
  for (const std::string& name : arguments.unset) {
    const NodeId u = find_node(session.model().data, name);
    told.add(u, fmt::format("--unset {}", name));
    if (!session.unset(u)) fail("--unset {}: it has no known label to take away", name);
  }
  for (const std::string& assignment : arguments.set) set_target(session, assignment, told);
  session.close_batch();
}

void predict_ranking(const TargetPredictions& arguments, TargetSession& session, const TargetAnswer& answer,
                     Json object, const std::string& text, Console& console) {
  const TargetModel& model = session.model();
  const TargetRanking ranking = rank_targets(session, answer,
                                             {.column = find_target(model.data, arguments.rank),
                                              .count = arguments.count,
                                              .known = arguments.with_known});
  if (!arguments.output.empty()) write_ranking(ranking, model, arguments.output);
  object["ranking"] = json_of(ranking, model);
  object["predictions"] = json_path(arguments.output);
  console.result(object, text + "\n  " + written_or(arguments.output, "-o FILE.csv saves the ranking") +
                             "\n\n" + text_of(ranking, model));
}

std::vector<TargetExplanation> explanations_of(const TargetQuestions& arguments, TargetSession& session,
                                               const TargetAnswer& answer) {
  const TargetModel& model = session.model();
  if (!arguments.rank.empty())
    return rank_targets(session, answer,
                        {.column = find_target(model.data, arguments.rank), .count = arguments.count})
        .nodes;
  std::vector<TargetExplanation> explanations;
  for (NodeId u : arguments.nodes.empty() ? std::vector{find_node(model.data, arguments.node)}
                                          : read_node_file(arguments.nodes, model.data)) {
    for (std::size_t column : columns_to_explain(model, answer, u))
      explanations.push_back(explain_target(session, answer, u, column));
  }
  return explanations;
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

void predict_targets(TargetModel held, const TargetPredictions& arguments, Console& console) {
  TargetSession opened(std::move(held), console.threads());
  std::optional<GrownTargets> grown;
  if (!arguments.add.folder.empty()) grown = arguments.add.grow(opened, console);
  TargetSession& session = grown ? *grown->session : opened;
  const TargetAnswer answer = grown ? grown->answer : session.answer();
  const TargetModel& model = session.model();
  const TargetIntervals intervals = intervals_of(model, answer, arguments.coverage);
  Json object = json_of(session, answer, intervals);
  std::string text = text_of(session, answer, intervals);
  if (grown) object["added"] = json_of(*grown, intervals);
  if (!arguments.rank.empty())
    return predict_ranking(arguments, session, answer, std::move(object), text, console);
  if (!arguments.output.empty() && grown) {
    write_new_nodes(*grown, intervals, arguments.output);
  } else if (!arguments.output.empty()) {
    write_target_predictions(model.data, answer, intervals.radius, model.thresholds, arguments.output);
  }
  if (console.json && !grown) object["nodes"] = nodes_json(model, answer, intervals);
  object["predictions"] = json_path(arguments.output);
  text += "\n  " + written_or(arguments.output, grown ? "-o FILE.csv saves the new nodes with their reasons"
                                                      : "-o FILE.csv saves every node's");
  console.result(object, text + (grown ? "\n" + text_of(*grown, intervals) : ""));
}

void label_targets(TargetModel held, const TargetLabels& arguments, Console& console) {
  TargetSession opened(std::move(held), console.threads());
  std::optional<GrownTargets> grown;
  if (!arguments.add.folder.empty()) grown = arguments.add.grow(opened, console);
  TargetSession& labelled = grown ? *grown->session : opened;
  const TargetAnswer before = labelled.answer();
  const Targets had = labelled.known();
  change_targets(arguments, labelled);
  std::optional<TargetSession> trained;
  if (arguments.train)
    trained.emplace(retrain(labelled.model(), console.threads(), console.progress()).model,
                    console.threads());
  TargetSession& session = trained ? *trained : labelled;
  const TargetAnswer after = session.answer();
  const TargetModel& model = session.model();
  if (!arguments.output.empty()) write_model(model, arguments.output);
  if (!arguments.held.empty()) write_held_labels(model, arguments.held);

  const TargetLabelReport report =
      label_report(had, session.known(), moved_targets(model, before, after), arguments.train);
  Json object = json_of(session);
  object.update(json_of(report, model));
  object["saved"] = json_path(arguments.output);
  object["exported"] = json_path(arguments.held);
  std::string text = text_of(session);
  if (grown) {
    const TargetIntervals intervals = intervals_of(grown->session->model(), grown->answer, kUsualCoverage);
    object["added"] = json_of(*grown, intervals);
    text += "\n" + text_of(*grown, intervals);
  }
  if (arguments.changes()) text += "\n" + text_of(report, model);
  if (arguments.changes() || grown || !arguments.output.empty())
    text += arguments.output.empty() ? "\n\nnot saved: -o FILE keeps it"
                                     : "\n\nsaved to " + path_text(arguments.output);
  if (!arguments.held.empty())
    text += fmt::format("\nwritten to {}: {}", path_text(arguments.held),
                        counted(std::ssize(model.known.nodes), "label"));
  console.result(object, text);
}

void explain_targets(TargetModel held, const TargetQuestions& arguments, Console& console) {
  TargetSession session(std::move(held), console.threads());
  const TargetModel& model = session.model();
  const std::vector<TargetExplanation> explanations = explanations_of(arguments, session, session.answer());
  if (!arguments.report.empty()) write_file(arguments.report, html_of(explanations, session));
  Json object = json_of(session);
  object["explanations"] = Json::array();
  std::string text = arguments.node.empty() ? text_of(explanations, session) : "";
  for (const TargetExplanation& explanation : explanations) {
    object["explanations"].push_back(json_of(explanation, model));
    if (!arguments.node.empty()) text += (text.empty() ? "" : "\n\n") + text_of(explanation, model);
  }
  object["report"] = json_path(arguments.report);
  console.result(object,
                 text + (arguments.report.empty() ? "" : "\nwritten to " + path_text(arguments.report)));
}

void evaluate_targets(TargetModel held, double coverage, const std::string& about, Console& console) {
  TargetSession session(std::move(held), console.threads());
  const TargetModel& model = session.model();
  const std::size_t column = about.empty() ? kNoColumn : find_target(model.data, about);
  const TargetEvaluation evaluation = heatfront::evaluate_targets(model, session.answer(), coverage, column);
  console.result(json_of(evaluation, model), text_of(evaluation, model));
}

}  // namespace heatfront::cli
