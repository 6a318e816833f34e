// SPDX-License-Identifier: MIT
#include "heatfront_report/comparison_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_report/drawing/axis.h"
#include "heatfront_report/drawing/dot_plot.h"
#include "heatfront_report/drawing/run_chart.h"
#include "heatfront_report/evaluation_tables.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

constexpr std::size_t kClassesCompared = 6;  // a wider table does not fit a terminal

// What the settings of a run are called.
std::string settings_heading(const Comparison& comparison) {
  return comparison.choose == Choosing::folds ? "chosen" : "preset";
}

std::string choosing_text(const Comparison& comparison) {
  return comparison.choose == Choosing::folds
             ? "settings of each model by folds of the training labels"
             : "settings of each model by its preset or defaults, the epoch by validation nodes";
}

// The settings of all runs, the most frequent first: "time=2 (7), defaults (3)".
std::string settings_text(const ComparedModel& model) {
  std::map<std::string, int> counts;
  for (const TableRun& run : model.runs) ++counts[run.preset];
  std::vector<std::pair<std::string, int>> list(counts.begin(), counts.end());
  std::ranges::stable_sort(list, std::greater(), &std::pair<std::string, int>::second);
  if (list.size() == 1) return list.front().first;
  std::vector<std::string> parts;
  for (const auto& [settings, runs] : list) parts.push_back(fmt::format("{} ({})", settings, runs));
  return join(parts, ", ");
}

std::string recall_and_precision(const ClassScore& score) {
  const auto points = [](double share) {
    return std::isnan(share) ? std::string("–") : fmt::format("{:.1f}", 100 * share);
  };
  return points(score.recall) + " / " + points(score.precision);
}

// Recall and precision of the rarest classes, in percent, a row for each model.
TextRows class_rows_of(const Comparison& comparison, const Dataset& dataset) {
  const std::vector<ClassScore>& first = comparison.models.front().classes;
  std::vector<std::size_t> shown(first.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::ranges::stable_sort(shown, {}, [&](std::size_t c) { return first[c].nodes; });
  shown.resize(std::min(shown.size(), kClassesCompared));
  TextRows rows = {{"recall / precision, %", "macro F1"}};
  for (std::size_t c : shown) rows[0].push_back(class_name(dataset, static_cast<ClassId>(c)));
  for (const ComparedModel& model : comparison.models) {
    if (model.classes.size() != first.size()) continue;  // a record without them
    rows.push_back({model.name, fmt::format("{:.1f}", 100 * macro_f1(model.classes))});
    for (std::size_t c : shown) rows.back().push_back(recall_and_precision(model.classes[c]));
  }
  return rows;
}

// Nothing where classes are about even.
std::string always_text(const Comparison& comparison, const Dataset& dataset) {
  if (!comparison.uneven || comparison.models.front().classes.empty()) return "";
  return fmt::format("Always {} would be right for {} of the test nodes.",
                     class_name(dataset, comparison.most_frequent), percent(comparison.always));
}

TextRows model_rows(const Comparison& comparison) {
  TextRows rows = {
      {"model", "test", "validation", settings_heading(comparison), "parameters", "seconds per run"}};
  for (const ComparedModel& model : comparison.models) {
    const TableRun& run = model.runs.front();
    rows.push_back({model.name, percent_text(model.test), percent_text(model.validation),
                    settings_text(model), std::to_string(run.parameters),
                    fmt::format("{:.3g}", model.seconds.mean)});
  }
  return rows;
}

TextRows pair_rows(const Comparison& comparison) {
  TextRows rows = {{"", "better by", ""}};
  for (const ComparedPair& pair : comparison.pairs) {
    rows.push_back(
        {fmt::format("{} than {}", comparison.models[pair.better].name, comparison.models[pair.other].name),
         difference_text(pair),
         pair.repeated  ? "every run the same: nothing is known of chance"
         : pair.tells() ? "more than chance"
                        : "may be chance"});
  }
  return rows;
}

std::string accuracy_plot(const Comparison& comparison) {
  DotPlot plot{
      .title = "Accuracy", .x_name = "test accuracy in %, mean and deviation", .series = {"test accuracy"}};
  for (const ComparedModel& model : comparison.models)
    plot.rows.push_back({model.name, {{100 * model.test.mean, 100 * model.test.deviation}}});
  return svg_of(plot);
}

std::string time_plot(const Comparison& comparison) {
  DotPlot plot{
      .title = "Time", .x_name = "seconds per run, on one thread", .logarithmic = true, .series = {"mean"}};
  for (const ComparedModel& model : comparison.models)
    plot.rows.push_back({model.name, {{model.seconds.mean}}});
  return svg_of(plot);
}

std::string models_table(const Comparison& comparison) {
  TextRows rows = {{"model", "test %", "validation %", "best is better by", settings_heading(comparison),
                    "seconds per run"}};
  for (std::size_t i = 0; i < comparison.models.size(); ++i) {
    const ComparedModel& model = comparison.models[i];
    rows.push_back({model.name, percent_text(model.test), percent_text(model.validation),
                    i == 0 ? "" : difference_text(comparison.pairs[i - 1]), settings_text(model),
                    fmt::format("{:.3g}", model.seconds.mean)});
  }
  return text_table(rows);
}

Json compared_json(const ComparedModel& model, const Dataset& dataset) {
  Json runs = Json::array();
  for (const TableRun& run : model.runs)
    runs.push_back({{"seed", run.seed},
                    {"split", run.split},
                    {"chosen", run.preset},
                    {"test_accuracy", json_number(run.test_accuracy)},
                    {"validation_accuracy", json_number(run.validation_accuracy)},
                    {"epochs", run.epochs},
                    {"seconds", run.seconds}});
  return {{"model", model.name},
          {"test_mean", json_number(model.test.mean)},
          {"test_deviation", json_number(model.test.deviation)},
          {"preset", model.runs.front().preset},
          {"macro_f1", model.classes.empty() ? Json() : json_number(macro_f1(model.classes))},
          {"classes", json_of(model.classes, dataset)},
          {"parameters", model.runs.front().parameters},
          {"seconds_mean", model.seconds.mean},
          {"runs", runs}};
}

}  // namespace

std::string percent_text(const Spread& shares) {
  if (std::isnan(shares.mean)) return "–";
  return fmt::format("{:.1f} ± {:.1f}", 100 * shares.mean, 100 * shares.deviation);
}

std::string difference_text(const ComparedPair& pair) {
  const PairedDifference& difference = pair.difference;
  if (pair.repeated) return fmt::format("{:+.1f} (every run)", 100 * difference.mean);
  return fmt::format("{:+.1f} ({:.1f} to {:.1f})", 100 * difference.mean, 100 * difference.low,
                     100 * difference.high);
}

std::string runs_text(const Comparison& comparison) {
  const std::size_t runs = comparison.models.front().runs.size();
  switch (comparison.splits) {
    case Splits::one: return fmt::format("{} trainings on one split", runs);
    case Splits::drawn: return fmt::format("{} splits, the same for all models", runs);
    case Splits::folds: return fmt::format("{} runs on folds, the same for all models", runs);
  }
  return {};
}

Json json_of(const Comparison& comparison, const Dataset& dataset) {
  Json models = Json::array(), pairs = Json::array();
  for (const ComparedModel& model : comparison.models) models.push_back(compared_json(model, dataset));
  for (const ComparedPair& pair : comparison.pairs)
    pairs.push_back({{"better", comparison.models[pair.better].name},
                     {"other", comparison.models[pair.other].name},
                     {"difference", json_number(pair.difference.mean)},
                     {"low", pair.repeated ? Json() : json_number(pair.difference.low)},
                     {"high", pair.repeated ? Json() : json_number(pair.difference.high)},
                     {"every_run_the_same", pair.repeated},
                     {"more_than_chance", pair.tells()}});
  return {{"models", models},
          {"pairs", pairs},
          {"confidence", Comparison::kConfidence},
          {"settings_by", comparison.choose == Choosing::folds ? "folds" : "presets"},
          {"dependence", comparison.dependence},
          {"uneven", comparison.uneven},
          {"most_frequent_class",
           {{"class", class_name(dataset, comparison.most_frequent)},
            {"test_accuracy", json_number(comparison.always)}}},
          {"verdict", verdict(comparison)},
          {"runs_before", comparison.runs_before},
          {"seconds", comparison.seconds},
          {"dataset", dataset.name}};
}

std::string text_of(const Comparison& comparison, const Dataset& dataset) {
  const std::string always = always_text(comparison, dataset);
  return fmt::format("{}\n\n{}{}: {}; {}; differences in points, all together with {:.0f} % confidence\n{}",
                     models_table(comparison),
                     always.empty()
                         ? ""
                         : text_table(class_rows_of(comparison, dataset)) + "\n" + printable(always) + "\n\n",
                     printable(dataset.name), runs_text(comparison), choosing_text(comparison),
                     100 * Comparison::kConfidence, printable(verdict(comparison)));
}

std::string markdown_of(const Comparison& comparison, const Dataset& dataset, const std::string& command) {
  const std::string always = always_text(comparison, dataset);
  return fmt::format(
      "`{}`\n\n**{}**\n\n"
      "Test accuracy in percent, mean ± deviation over {}; {}:\n\n{}\n{}"
      "Paired differences in points, with intervals that hold together with {:.0f} % confidence:\n\n{}",
      printable(command), printable(verdict(comparison)), runs_text(comparison), choosing_text(comparison),
      markdown_table(model_rows(comparison)),
      always.empty() ? ""
                     : printable(always) + "\n\n" + markdown_table(class_rows_of(comparison, dataset)) + "\n",
      100 * Comparison::kConfidence, markdown_table(pair_rows(comparison)));
}

std::string csv_of(const Comparison& comparison) {
  std::string text = "model,seed,split,test_accuracy,validation_accuracy,epochs,parameters,seconds\n";
  for (const ComparedModel& model : comparison.models) {
    for (const TableRun& run : model.runs)
      text += fmt::format("\"{}\",{},\"{}\",{},{},{},{},{:.4g}\n", model.name, run.seed, run.split,
                          csv_number(run.test_accuracy, 6), csv_number(run.validation_accuracy, 6),
                          run.epochs, run.parameters, run.seconds);
  }
  return text;
}

std::string html_of(const Comparison& comparison, const Dataset& dataset, const std::string& command) {
  const std::string always = always_text(comparison, dataset);
  std::string training;
  for (const ComparedModel& model : comparison.models) {
    if (model.runs.front().curve.size() > 1) training += svg_of(chart_of(model.runs.front(), model.name));
  }
  std::string body = fmt::format(
      "<p><b>{}</b></p>\n<p><code>{}</code></p>\n<p>Test accuracy in percent, mean ± deviation over {}; "
      "{}.</p>\n{}{}{}<h2>Which differences are more than chance</h2>\n<p>Run "
      "by run, in "
      "points, with intervals that hold together with {:.0f} % confidence.</p>\n{}<h2>Time</h2>\n{}",
      escaped(verdict(comparison)), escaped(command), runs_text(comparison), choosing_text(comparison),
      html_table(model_rows(comparison)), accuracy_plot(comparison),
      always.empty() ? ""
                     : "<h2>Class by class</h2>\n<p>" + escaped(always) + "</p>\n" +
                           html_table(class_rows_of(comparison, dataset)),
      100 * Comparison::kConfidence, html_table(pair_rows(comparison)), time_plot(comparison));
  if (!training.empty()) body += "<h2>Training</h2>\n<p>The first run of each model.</p>\n" + training;
  return html_page(dataset.name + ": models compared", body);
}

}  // namespace heatfront
