// SPDX-License-Identifier: MIT
#include "heatfront_report/evaluation_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/data/dataset.h"

namespace heatfront {
namespace {

constexpr std::size_t kShortName = 6;

std::string in_percent(double share) {
  return std::isnan(share) ? "–" : fmt::format("{:.1f} %", 100 * share);
}

std::string figure(double value) { return std::isnan(value) ? "–" : fmt::format("{:.3f}", value); }

std::int64_t classes_met(const Evaluation& evaluation) {
  return std::ranges::count_if(evaluation.classes,
                               [](const ClassScore& score) { return !std::isnan(score.f1); });
}

// Fitted to some nodes, judged by others: it need not help there.
std::string softening_meaning(const Evaluation& e) {
  const char* what = e.softening < 0.9 ? "too timid" : e.softening > 1.1 ? "too sure" : "about right";
  const std::string before = in_percent(e.as_given.ece), after = in_percent(e.scaled.ece);
  const char* verdict = before == after                 ? "no difference"
                        : e.scaled.ece < e.as_given.ece ? "it helps"
                                                        : "it does not help";
  if (e.by_left_out)
    return fmt::format("it was {}; ECE of each half of the labels, softened by the other half, {} → {}: {}",
                       what, before, after, verdict);
  return fmt::format("calibrated on the validation nodes, where it was {}; ECE of the test nodes {} → {}: {}",
                     what, before, after, verdict);
}

// Shares that are all alike have Σ_c (1/C − [c = label])² = 1 − 1/C.
double brier_of_even_shares(const Evaluation& e) { return 1 - 1 / static_cast<double>(e.confusion.classes); }

void add_calibration(const Calibration& c, const std::string& when, TextRows& rows) {
  rows.push_back({"confidence" + when, in_percent(c.confidence), "on average; it should match the accuracy"});
  rows.push_back({"ECE" + when, in_percent(c.ece),
                  fmt::format("average gap between confidence and accuracy; expected by chance: {}",
                              in_percent(c.ece_by_chance))});
}

// 10 → 20 → 50 → 100 → …
std::int64_t next_round(std::int64_t number) {
  std::int64_t first = number;
  while (first >= 10) first /= 10;
  return first == 2 ? number / 2 * 5 : number * 2;
}

double found_by_chance(const ClassRetrieval& retrieval) {
  return static_cast<double>(retrieval.of_class) / static_cast<double>(retrieval.nodes);
}

}  // namespace

TextRows summary_rows(const Evaluation& e, const Dataset& dataset) {
  TextRows rows = {{"measure", "value", "what it means"}};
  rows.push_back({"accuracy", in_percent(e.accuracy),
                  fmt::format("of {} classified correctly; 95 % interval {:.1f} to {:.1f} %",
                              counted(std::ssize(e.nodes), e.by_left_out ? "label" : "test node",
                                      e.nodes.size() == 1 ? " is" : " are"),
                              100 * e.accuracy_interval.low, 100 * e.accuracy_interval.high)});
  rows.push_back({fmt::format("always {}", class_name(dataset, e.most_frequent)), in_percent(e.always),
                  "would be right without looking, as the most frequent known label"});
  rows.push_back(
      {"macro F1", in_percent(e.macro_f1),
       fmt::format("precision and recall in one, each of {} classes counting alike", classes_met(e))});
  add_calibration(e.as_given, "", rows);
  rows.push_back(
      {"Brier score", figure(e.as_given.brier),
       fmt::format("squared error of the class probabilities: 0 is best, guessing evenly has {:.3f}",
                   brier_of_even_shares(e))});
  if (!std::isnan(e.softening)) {
    rows.push_back({"softening", fmt::format("{:.3g}", e.softening), softening_meaning(e)});
    add_calibration(e.scaled, ", softened", rows);
    rows.push_back(
        {"Brier score, softened", figure(e.scaled.brier), "squared error of the class probabilities"});
  }
  if (e.sets.calibrated_on > 0) {
    rows.push_back(
        {"coverage", in_percent(e.coverage),
         fmt::format("of the sets of classes contain the right one; asked for: {:.4g} %, give or take {:.1f}",
                     100 * e.sets.level, 200 * e.coverage_by_chance)});
    rows.push_back({"set size", fmt::format("{:.2f}", e.set_size),
                    fmt::format("classes in a set on average, of {}", e.confusion.classes)});
  }
  return rows;
}

TextRows class_rows(std::span<const ClassScore> scores, const Dataset& dataset) {
  TextRows rows = {{"class", "nodes", "given", "precision", "recall", "F1"}};
  for (std::size_t c = 0; c < scores.size(); ++c) {
    const ClassScore& score = scores[c];
    rows.push_back({class_name(dataset, static_cast<ClassId>(c)), std::to_string(score.nodes),
                    std::to_string(score.given), in_percent(score.precision), in_percent(score.recall),
                    in_percent(score.f1)});
  }
  return rows;
}

Json json_of(std::span<const ClassScore> scores, const Dataset& dataset) {
  Json list = Json::array();
  for (std::size_t c = 0; c < scores.size(); ++c)
    list.push_back({{"class", class_name(dataset, static_cast<ClassId>(c))},
                    {"nodes", scores[c].nodes},
                    {"given", scores[c].given},
                    {"precision", json_number(scores[c].precision)},
                    {"recall", json_number(scores[c].recall)},
                    {"f1", json_number(scores[c].f1)}});
  return list;
}

// Long names would make columns too wide: those are called by number.
TextRows confusion_rows(const Evaluation& evaluation, const Dataset& dataset) {
  const ClassId classes = evaluation.confusion.classes;
  const bool by_name = std::ranges::all_of(dataset.class_names,
                                           [](const std::string& name) { return name.size() <= kShortName; });
  TextRows rows = {{"true \\ predicted"}};
  for (ClassId c = 0; c < classes; ++c)
    rows[0].push_back(by_name ? class_name(dataset, c) : std::to_string(c));
  for (ClassId label = 0; label < classes; ++label) {
    const std::string& name = class_name(dataset, label);
    std::vector<std::string> row = {by_name ? name : fmt::format("{} {}", label, name)};
    for (ClassId given = 0; given < classes; ++given) {
      const std::int64_t nodes = evaluation.confusion(label, given);
      row.push_back(nodes == 0 ? "" : std::to_string(nodes));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

TextRows mistake_rows(const Evaluation& evaluation, const Dataset& dataset, std::size_t most) {
  TextRows rows = {{"true class", "predicted", "nodes"}};
  for (const Mistake& mistake : mistakes(evaluation.confusion)) {
    if (rows.size() > most) break;
    rows.push_back({class_name(dataset, mistake.label), class_name(dataset, mistake.given),
                    std::to_string(mistake.nodes)});
  }
  return rows;
}

// 10, 20, 50, 100, …; where nodes of one score come together, as many as that takes.
TextRows retrieval_rows(const ClassRetrieval& retrieval) {
  TextRows rows = {{"of the first", "are of the class", "of the class found"}};
  std::int64_t wanted = 10;
  for (std::size_t i = 0; i < retrieval.curve.size(); ++i) {
    const PrecisionRecall& point = retrieval.curve[i];
    if (point.nodes < wanted && i + 1 < retrieval.curve.size()) continue;
    rows.push_back({grouped(point.nodes), in_percent(point.precision), in_percent(point.recall)});
    while (wanted <= point.nodes) wanted = next_round(wanted);
  }
  return rows;
}

std::vector<PrecisionRecall> shown_points(const ClassRetrieval& retrieval) {
  constexpr std::size_t kMostPoints = 200;
  std::vector<PrecisionRecall> points;
  const std::size_t step = retrieval.curve.size() / kMostPoints + 1;
  for (std::size_t i = 0; i < retrieval.curve.size(); ++i) {
    if (i % step == 0 || i + 1 == retrieval.curve.size()) points.push_back(retrieval.curve[i]);
  }
  return points;
}

std::string retrieval_text(const ClassRetrieval& retrieval, const std::string& name) {
  if (retrieval.of_class == 0) return fmt::format("None of the nodes judged is {}.", printable(name));
  return fmt::format(
      "Ranked by how likely they are {}: average precision {:.3f}; chance would give {:.3f}, and all {} at "
      "the top 1.",
      printable(name), retrieval.average_precision, found_by_chance(retrieval), grouped(retrieval.of_class));
}

std::string text_of(const ClassRetrieval& retrieval, const std::string& name) {
  return retrieval_text(retrieval, name) +
         (retrieval.of_class > 0 ? "\n" + text_table(retrieval_rows(retrieval)) : "");
}

Json json_of(const ClassRetrieval& retrieval, const std::string& name) {
  Json curve = Json::array();
  for (const PrecisionRecall& point : shown_points(retrieval)) {
    curve.push_back({{"probability", point.score},
                     {"nodes", point.nodes},
                     {"precision", point.precision},
                     {"recall", json_number(point.recall)}});
  }
  return {{"class", name},
          {"nodes", retrieval.of_class},
          {"average_precision", json_number(retrieval.average_precision)},
          {"by_chance", found_by_chance(retrieval)},
          {"curve", curve}};
}

TextRows set_size_rows(const Evaluation& evaluation) {
  TextRows rows = {{"classes in the set", "nodes", "share"}};
  for (std::size_t size = 0; size < evaluation.set_sizes.size(); ++size) {
    const std::int64_t nodes = evaluation.set_sizes[size];
    if (nodes > 0)
      rows.push_back({std::to_string(size), std::to_string(nodes),
                      in_percent(static_cast<double>(nodes) / static_cast<double>(evaluation.nodes.size()))});
  }
  return rows;
}

TextRows group_rows(const std::string& what, const std::vector<NodeGroup>& groups) {
  TextRows rows = {{what, "nodes", "accuracy", "confidence", "coverage", "set size"}};
  for (const NodeGroup& group : groups) {
    rows.push_back({group.name, std::to_string(group.nodes), in_percent(group.accuracy),
                    in_percent(group.confidence), in_percent(group.coverage),
                    std::isnan(group.set_size) ? "–" : fmt::format("{:.2f}", group.set_size)});
  }
  return rows;
}

std::vector<std::string> remarks_on(const Evaluation& e) {
  std::vector<std::string> remarks;
  const std::int64_t needed = nodes_needed(e.sets.level);
  if (e.relabelled > 0)
    remarks.push_back(fmt::format(
        "{} since training. The model is judged by the labels as they are now; `heatfront label "
        "--train` learns from them.",
        counted(e.relabelled, "label",
                e.relabelled == 1 ? " has been changed or taken away" : " have been changed or taken away")));
  if (e.test_held > 0)
    remarks.push_back(fmt::format(
        "{} held fixed and {} not judged; the others need not be like {}.",
        counted(e.test_held, "test node", e.test_held == 1 ? " has its label" : " have their label"),
        e.test_held == 1 ? "is" : "are", e.test_held == 1 ? "it" : "them"));
  if (e.sets.calibrated_on == 0)
    remarks.push_back(fmt::format("{}, so there is nothing to calibrate on: no softening and no sets.",
                                  e.validation_held > 0 ? "The labels of all validation nodes are held fixed"
                                  : e.by_left_out       ? "No label was left out"
                                                        : "The split has no validation nodes"));
  else if (e.sets.calibrated_on < needed)
    remarks.push_back(fmt::format("Sets at {:.4g} % need {}, and there {} {}: every set is all classes.",
                                  100 * e.sets.level,
                                  counted(needed, e.by_left_out ? "label" : "validation node"),
                                  e.sets.calibrated_on == 1 ? "is" : "are", e.sets.calibrated_on));
  else if (e.validation_held > 0)
    remarks.push_back(fmt::format("{} held fixed; the other {} calibrate.",
                                  counted(e.validation_held, "validation node",
                                          e.validation_held == 1 ? " has its label" : " have their label"),
                                  e.sets.calibrated_on));
  if (e.set_size == 1 && e.accuracy > e.sets.level)
    remarks.push_back(
        fmt::format("The most likely class alone is right more often than the {:.4g} % asked for, so every "
                    "set is one class; a higher --coverage gives larger sets.",
                    100 * e.sets.level));
  if (e.by_left_out && std::ssize(e.nodes) < kLeastToSoften)
    remarks.push_back(
        fmt::format("The confidence is as predicted: calibrating it takes {} labels.", kLeastToSoften));
  if (e.softening <= kLeastSoftening || e.softening >= kMostSoftening)
    remarks.push_back(fmt::format(
        "The softening is at the end of its range: the {} are too few, or too easy, to settle it, so "
        "do not rely on the confidence.",
        e.by_left_out ? "labels left out" : "validation nodes"));
  if (e.accuracy != e.warmest_accuracy)
    remarks.push_back(
        fmt::format("Nodes that no label reaches are given the most frequent class; with the first class "
                    "instead, as `predict` and the paper count, the accuracy is {}.",
                    in_percent(e.warmest_accuracy)));
  return remarks;
}

}  // namespace heatfront
