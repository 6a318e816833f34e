// SPDX-License-Identifier: MIT
#include "heatfront_report/evaluation_report.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront_report/drawing/axis.h"
#include "heatfront_report/drawing/chart.h"
#include "heatfront_report/drawing/dot_plot.h"
#include "heatfront_report/drawing/reliability_plot.h"
#include "heatfront_report/evaluation_tables.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

constexpr std::int64_t kGroupSize = 10;
constexpr ClassId kClassesShown = 12;       // a larger confusion matrix does not fit a terminal
constexpr std::size_t kMistakesShown = 10;  // of such a one

std::string remarks_html(const Evaluation& evaluation) {
  std::string html;
  for (const std::string& remark : remarks_on(evaluation)) html += "<p>" + escaped(remark) + "</p>\n";
  return html;
}

// The darker, the larger the share of the nodes of its class.
std::string confusion_html(const Evaluation& evaluation, const Dataset& dataset) {
  const TextRows rows = confusion_rows(evaluation, dataset);
  std::string html = "<table>\n<tr>";
  for (std::size_t c = 0; c < rows[0].size(); ++c)
    html += fmt::format("<th{}>{}</th>", c < 1 ? " class='name'" : "", escaped(rows[0][c]));
  html += "</tr>\n";
  for (ClassId label = 0; label < evaluation.confusion.classes; ++label) {
    const std::vector<std::string>& row = rows[at(label) + 1];
    html += fmt::format("<tr><td class='name'>{}</td>", escaped(row[0]));
    for (ClassId given = 0; given < evaluation.confusion.classes; ++given) {
      const std::int64_t nodes = evaluation.confusion(label, given);
      const double share =
          nodes == 0 ? 0
                     : static_cast<double>(nodes) / static_cast<double>(evaluation.classes[at(label)].nodes);
      html += fmt::format("<td style='background:rgba({},{:.2f})'>{}</td>",
                          label == given ? "0,158,115" : "213,94,0", 0.7 * share, row[at(given) + 1]);
    }
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string reliability_html(const Evaluation& e) {
  std::vector<ReliabilityPanel> panels = {{"as predicted", e.as_given}};
  if (!std::isnan(e.softening)) panels.push_back({fmt::format("at softening {:.3g}", e.softening), e.scaled});
  return svg_of(panels);
}

Dot dot_of(double share, const NodeGroup& group) {
  return {100 * share, 100 * std::sqrt(share * (1 - share) / static_cast<double>(group.nodes))};
}

// The plot leaves out groups of which so few nodes say nothing.
std::string groups_html(const Evaluation& evaluation, const std::string& what,
                        const std::vector<NodeGroup>& groups) {
  const bool sets = evaluation.sets.calibrated_on > 0;
  DotPlot plot{
      .title = what,
      .x_name = fmt::format("% of the nodes, give or take a deviation; groups of {} or more", kGroupSize),
      .series = {"accuracy"}};
  if (sets) plot.series.push_back("coverage");
  for (const NodeGroup& group : groups) {
    if (group.nodes < kGroupSize) continue;
    plot.rows.push_back(
        {fmt::format("{} ({} nodes)", group.name, group.nodes), {dot_of(group.accuracy, group)}});
    if (sets) plot.rows.back().dots.push_back(dot_of(group.coverage, group));
  }
  return (plot.rows.empty() ? "" : svg_of(plot)) + html_table(group_rows(what, groups));
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

Json classes_with_confusion(const Evaluation& e, const Dataset& data) {
  Json list = json_of(e.classes, data);
  for (ClassId label = 0; label < e.confusion.classes; ++label) {
    Json row = Json::array();
    for (ClassId given = 0; given < e.confusion.classes; ++given) row.push_back(e.confusion(label, given));
    list[at(label)]["confusion"] = row;
  }
  return list;
}

std::string retrieval_html(const Evaluation& e, const Dataset& data) {
  const std::string& name = class_name(data, e.retrieval.label);
  std::string html =
      "<h2>Finding " + escaped(name) + "</h2>\n<p>" + escaped(retrieval_text(e.retrieval, name)) + "</p>\n";
  if (e.retrieval.of_class == 0) return html;
  Chart chart{.title = "precision against recall", .x_name = "recall", .y_name = "precision", .x = {0}};
  Curve curve{.name = name, .values = {e.retrieval.curve.front().precision}};
  for (const PrecisionRecall& point : shown_points(e.retrieval)) {
    chart.x.push_back(point.recall);
    curve.values.push_back(point.precision);
  }
  chart.curves.push_back(std::move(curve));
  return html + svg_of(chart) + html_table(retrieval_rows(e.retrieval), 0);
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

std::string mistakes_text(const Evaluation& e, const Dataset& data) {
  if (e.confusion.classes <= kClassesShown)
    return "Which classes are taken for which:\n" + text_table(confusion_rows(e, data));
  return "The most frequent mistakes:\n" + text_table(mistake_rows(e, data, kMistakesShown));
}

}  // namespace

Json json_of(const Evaluation& e, const Session& session) {
  Json object = json_of(session);
  object["judged"] = e.nodes.size();
  object["judged_by"] = e.by_left_out ? "labels left out" : "test nodes";
  object["relabelled"] = e.relabelled;
  object["accuracy"] = json_number(e.accuracy);
  object["accuracy_interval"] = {e.accuracy_interval.low, e.accuracy_interval.high};
  object["test_accuracy"] = json_number(e.warmest_accuracy);
  object["macro_f1"] = json_number(e.macro_f1);
  object["uneven"] = e.uneven;
  object["most_frequent_class"] = {{"class", class_name(session.model().data, e.most_frequent)},
                                   {"accuracy", json_number(e.always)}};
  object["classes"] = classes_with_confusion(e, session.model().data);
  object["ranking"] = e.retrieval.label == kUnknown
                          ? Json()
                          : json_of(e.retrieval, class_name(session.model().data, e.retrieval.label));
  object["calibration"] = calibration_json(e.as_given);
  object["softening"] = json_number(e.softening);
  object["calibration_softened"] = std::isnan(e.softening) ? Json() : calibration_json(e.scaled);
  object["sets"] = sets_json(e);
  object["by_degree"] = groups_json("degree", e.by_degree);
  object["by_distance"] = groups_json("distance", e.by_distance);
  object["by_status"] = groups_json("status", e.by_status);
  object["remarks"] = remarks_on(e);
  return object;
}

std::string text_of(const Evaluation& e, const Session& session) {
  const Dataset& data = session.model().data;
  std::string text = text_of(session) + "\n" +
                     (e.by_left_out ? fmt::format("measured on {}, each predicted without its own label\n",
                                                  counted(std::ssize(e.nodes), "label"))
                                    : fmt::format("measured on {}, used for nothing else; calibrated on {}\n",
                                                  counted(std::ssize(e.nodes), "test node"),
                                                  counted(e.sets.calibrated_on, "validation node")));
  for (const std::string& remark : remarks_on(e)) text += fitted(remark, 0);
  text += "\n" + text_table(summary_rows(e, data)) + "\n\n" + mistakes_text(e, data) + "\n";
  if (e.uneven) text += "\n" + text_table(class_rows(e.classes, data)) + "\n";
  if (e.retrieval.label != kUnknown)
    text += "\n" + text_of(e.retrieval, class_name(data, e.retrieval.label)) + "\n";
  text += "\n" + text_table(group_rows("neighbours", e.by_degree)) + "\n";
  if (!e.by_distance.empty())
    text += "\n" + text_table(group_rows("edges to the nearest known label", e.by_distance)) + "\n";
  if (e.by_status.size() > 1) text += "\n" + text_table(group_rows("status", e.by_status)) + "\n";
  return text;
}

std::vector<Prediction> predictions_of(const Evaluation& evaluation, const Answer& answer) {
  std::vector<Prediction> predictions = predictions_of(answer);
  for (std::size_t u = 0; u < predictions.size(); ++u) {
    if (answer.decisions.status[u] == NodeStatus::known) continue;
    const auto node = static_cast<NodeId>(u);
    const std::vector<double> shares = calibrated_shares(evaluation, answer, node);
    predictions[u].confidence = static_cast<Real>(shares[at(predictions[u].label)]);
    for (ClassId c : evaluation.sets.set_of(plain_shares(answer, node))) {
      if (c != predictions[u].label) predictions[u].others.push_back({c, static_cast<Real>(shares[at(c)])});
    }
  }
  return predictions;
}

std::string html_of(const Evaluation& e, const Session& session) {
  const TrainedModel& model = session.model();
  const Dataset& data = model.data;
  std::string body = fmt::format("<p>{}</p>\n{}", escaped(text_of(session)), remarks_html(e));
  body += html_table(summary_rows(e, data), 3);
  body +=
      "<h2>Which classes are taken for which</h2>\n<p>Nodes by the class that they are of (rows) and "
      "the class that "
      "they were given (columns). The diagonal is right.</p>\n" +
      confusion_html(e, data) +
      "<h2>Class by class</h2>\n<p>Precision: of the nodes given the class, how many are of it. "
      "Recall: of the nodes of the class, how many were given it.</p>\n" +
      html_table(class_rows(e.classes, data));
  if (e.retrieval.label != kUnknown) body += retrieval_html(e, data);
  body +=
      "<h2>Can its confidence be taken at its word?</h2>\n<p>Of the nodes that a model is 80 % sure of, 80 % "
      "should be "
      "right: dots on the dashed line. Above it the model is too timid, below it too sure. Lines are 95 % "
      "intervals.</p>\n" +
      reliability_html(e);
  if (e.sets.calibrated_on > 0) {
    body += fmt::format(
        "<h2>Sets of classes</h2>\n<p>In place of one class, all that cannot be ruled out, so that {:.4g} % "
        "of the "
        "sets hold the right one; calibrated on {}. How they are made (--score {}): {}.</p>\n{}",
        100 * e.sets.level,
        counted(e.sets.calibrated_on, e.by_left_out ? "label left out" : "validation node"),
        e.sets.score->name, e.sets.score->what, html_table(set_size_rows(e), 0));
  }
  body += "<h2>By the number of neighbours</h2>\n" + groups_html(e, "neighbours", e.by_degree);
  if (!e.by_distance.empty())
    body += "<h2>By the distance to the nearest known label</h2>\n" +
            groups_html(e, "edges to the nearest known label", e.by_distance);
  if (e.by_status.size() > 1)
    body +=
        "<h2>By status</h2>\n<p>Undecided: the lead is within the error of the solver. Unreached: no label "
        "is "
        "connected to the node.</p>\n" +
        html_table(group_rows("status", e.by_status));
  return html_page(fmt::format("{}: {} judged by {}", data.name, model.model,
                               e.by_left_out ? "labels left out" : "its test nodes"),
                   body);
}

}  // namespace heatfront
