// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/evaluation.h"

#include <fmt/core.h>

#include <cmath>

#include "cli/command.h"
#include "cli/model_argument.h"
#include "cli/output_kind.h"
#include "cli/predictions.h"
#include "heatfront/base/fail.h"
#include "heatfront/data/names.h"
#include "heatfront_experiment/evaluation_report.h"
#include "heatfront_experiment/evaluation_tables.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront::cli {
namespace evaluate_command {

constexpr ClassId kClassesShown = 12;       // a larger confusion matrix does not fit a terminal
constexpr std::size_t kMistakesShown = 10;  // of such a one

struct Arguments {
  ModelArgument model;
  EvaluationOptions options;
  std::filesystem::path report, sets;
};

// Each node's class with its confidence at the fitted temperature, then the others of its set.
void write_sets(const Evaluation& evaluation, const Answer& answer, const Dataset& data,
                const std::filesystem::path& path) {
  std::vector<Prediction> predictions = predictions_of(answer.decisions);
  for (std::size_t u = 0; u < predictions.size(); ++u) {
    if (answer.decisions.status[u] == NodeStatus::known) continue;
    const auto node = static_cast<NodeId>(u);
    const std::vector<double> shares = calibrated_shares(evaluation, answer, node);
    predictions[u].confidence = static_cast<Real>(shares[at(predictions[u].label)]);
    for (ClassId c : evaluation.sets.set_of(class_shares(answer, node))) {
      if (c != predictions[u].label) predictions[u].others.push_back({c, static_cast<Real>(shares[at(c)])});
    }
  }
  write_predictions(data, predictions, path);
}

Json calibration_json(const Calibration& calibration) {
  Json bins = Json::array();
  for (const ReliabilityBin& bin : calibration.bins) {
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"nodes", bin.nodes},
                    {"confidence", json_number(bin.confidence)},
                    {"accuracy", json_number(bin.accuracy)}});
  }
  return {{"confidence", calibration.confidence},
          {"ece", calibration.ece},
          {"ece_by_chance", calibration.ece_by_chance},
          {"brier", calibration.brier},
          {"bins", bins}};
}

Json groups_json(const std::string& what, const std::vector<NodeGroup>& groups) {
  Json list = Json::array();
  for (const NodeGroup& group : groups) {
    list.push_back({{what, group.name},
                    {"nodes", group.nodes},
                    {"accuracy", group.accuracy},
                    {"confidence", group.confidence},
                    {"coverage", json_number(group.coverage)},
                    {"set_size", json_number(group.set_size)}});
  }
  return list;
}

Json classes_json(const Evaluation& e, const Dataset& data) {
  Json list = Json::array();
  for (ClassId label = 0; label < e.confusion.classes; ++label) {
    const ClassScore& score = e.classes[at(label)];
    Json row = Json::array();
    for (ClassId given = 0; given < e.confusion.classes; ++given) row.push_back(e.confusion(label, given));
    list.push_back({{"class", class_name(data, label)},
                    {"nodes", score.nodes},
                    {"given", score.given},
                    {"precision", json_number(score.precision)},
                    {"recall", json_number(score.recall)},
                    {"f1", json_number(score.f1)},
                    {"confusion", row}});
  }
  return list;
}

Json sets_json(const Evaluation& e) {
  if (e.sets.calibrated_on == 0) return {};
  return {{"asked", e.sets.level},
          {"score", e.sets.score->name},
          {"calibrated_on", e.sets.calibrated_on},
          {"threshold", json_number(e.sets.threshold)},
          {"coverage", e.coverage},
          {"coverage_by_chance", e.coverage_by_chance},
          {"set_size", e.set_size},
          {"sizes", e.set_sizes}};
}

Json json_of(const Evaluation& e, const Session& session, const Arguments& arguments) {
  Json object = model_json(session);
  object["judged"] = e.nodes.size();
  object["accuracy"] = json_number(e.accuracy);
  object["accuracy_interval"] = {e.accuracy_interval.low, e.accuracy_interval.high};
  object["test_accuracy"] = json_number(e.warmest_accuracy);
  object["macro_f1"] = json_number(e.macro_f1);
  object["classes"] = classes_json(e, session.model().data);
  object["calibration"] = calibration_json(e.as_given);
  object["temperature"] = json_number(e.temperature);
  object["calibration_at_temperature"] = std::isnan(e.temperature) ? Json() : calibration_json(e.scaled);
  object["sets"] = sets_json(e);
  object["by_degree"] = groups_json("degree", e.by_degree);
  object["by_distance"] = groups_json("distance", e.by_distance);
  object["by_status"] = groups_json("status", e.by_status);
  object["remarks"] = remarks_on(e);
  object["report"] = json_path(arguments.report);
  object["predictions"] = json_path(arguments.sets);
  return object;
}

std::string classes_text(const Evaluation& e, const Dataset& data) {
  if (e.confusion.classes <= kClassesShown)
    return "Which classes are taken for which:\n" + table(confusion_rows(e, data));
  return "The most frequent mistakes:\n" + table(mistake_rows(e, data, kMistakesShown));
}

std::string written_text(const Arguments& arguments) {
  if (arguments.report.empty() && arguments.sets.empty())
    return "not written: --report FILE.html draws this, --sets FILE.csv has the sets of all nodes";
  std::string text = "written to";
  if (!arguments.report.empty()) text += " " + path_text(arguments.report);
  if (!arguments.sets.empty()) text += (arguments.report.empty() ? " " : ", ") + path_text(arguments.sets);
  return text;
}

std::string text_of(const Evaluation& e, const Session& session, const Arguments& arguments) {
  const Dataset& data = session.model().data;
  std::string text = fmt::format("{}\njudged by {}, used for nothing else; {}\n", model_text(session),
                                 counted(std::ssize(e.nodes), "test node"),
                                 counted(e.sets.calibrated_on, "validation node",
                                         e.sets.calibrated_on == 1 ? " calibrates" : " calibrate"));
  for (const std::string& remark : remarks_on(e)) text += fitted(remark, 0);
  text += "\n" + table(summary_rows(e)) + "\n\n" + classes_text(e, data) + "\n";
  text += "\n" + table(group_rows("neighbours", e.by_degree)) + "\n";
  text += "\n" + table(group_rows("edges to the nearest known label", e.by_distance)) + "\n";
  if (e.by_status.size() > 1) text += "\n" + table(group_rows("status", e.by_status)) + "\n";
  return text + "\n" + written_text(arguments);
}

void run(const Arguments& arguments, Console& console) {
  check_outputs({{arguments.report, kReportPage}, {arguments.sets, kPredictionTable}});
  Session session = arguments.model.open(console);
  const TrainedModel& model = session.model();
  const Answer answer = session.solve();
  const Evaluation evaluation = evaluate(model, answer, arguments.options);
  if (!arguments.sets.empty() && evaluation.sets.calibrated_on == 0)
    fail("--sets {}: no validation label is left to calibrate on, see `heatfront evaluate` without it",
         arguments.sets.string());
  if (!arguments.report.empty())
    write_file(arguments.report, html_of(evaluation, model, model_text(session)));
  if (!arguments.sets.empty()) write_sets(evaluation, answer, model.data, arguments.sets);
  console.result(json_of(evaluation, session, arguments), text_of(evaluation, session, arguments));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  flags.option("--coverage", arguments->options.coverage,
               "Share of the sets of classes that are to hold the right one", "X");
  std::string scores = "How sets are made";
  for (const ConformalScore& score : conformal_scores())
    scores += fmt::format("; {}: {}", score.name, score.what);
  flags.option("--score", arguments->options.score, scores, "NAME");
  flags.option("--report", arguments->report, "Write all this as a page with plots", "FILE.html");
  flags.option("--sets", arguments->sets,
               "Write every node's class with its calibrated confidence, and the other classes of its set",
               "FILE.csv");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace evaluate_command

const Command kEvaluateCommand{
    "evaluate", "Judges a trained model by its test nodes: accuracy, confusion, calibration, sets",
    "heatfront evaluate cora.hf --report cora.html --sets sets.csv", evaluate_command::define};

}  // namespace heatfront::cli
