// SPDX-License-Identifier: MIT
#include "heatfront_report/model_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront/label/label_effect.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/evaluation_tables.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

std::string uses_text(const Uses& uses) {
  return std::string(uses.graph ? "graph, " : "") + (uses.features ? "features, " : "") + "labels";
}

std::string presets_text(std::string_view model) {
  std::string names;
  for (const Preset& preset : presets()) {
    if (preset.model == model) names.append(names.empty() ? "" : ", ").append(preset.name);
  }
  return names.empty() ? "none" : names;
}

Json entry_json(const ModelEntry& entry) {
  return {{"name", entry.name},
          {"what", entry.what},
          {"uses_graph", entry.uses.graph},
          {"uses_features", entry.uses.features},
          {"takes_new_labels", entry.takes_labels},
          {"presets", presets_text(entry.name)}};
}

struct Phase {
  std::string_view name;
  double seconds;
};

std::vector<Phase> phases(const TrainSeconds& seconds) {
  return {{"shared", seconds.model.shared},
          {"forward", seconds.model.forward},
          {"flow", seconds.model.flow},
          {"backward", seconds.model.backward},
          {"optimiser", seconds.optimiser},
          {"judge_network", seconds.model.judge_network},
          {"judge_flow", seconds.model.judge_flow},
          {"judge_scores", seconds.judge}};
}

// Of this run; one at least, by which to divide.
std::int64_t epochs_here(const Fit& fit) {
  return std::max<std::int64_t>(1, fit.training.epochs - fit.training.epochs_before);
}

Json phases_json(const Fit& fit) {
  Json object;
  const auto epochs = static_cast<double>(epochs_here(fit));
  for (const Phase& phase : phases(fit.training.seconds))
    object[std::string(phase.name)] = phase.seconds / epochs;
  return object;
}

std::string kept_text(const Fit& fit) {
  if (fit.model.split().validation.empty())
    return fmt::format("epoch {}, the last: the split has no validation nodes", fit.training.best.epoch);
  return fmt::format("epoch {}, by {}", fit.training.best.epoch, fit.model.selected_by);
}

std::string ending_text(const Fit& fit) {
  if (fit.training.epochs_before > 0)
    return fmt::format(" (the first {} before, from the checkpoint)", fit.training.epochs_before);
  if (fit.training.stopped) return " (interrupted: the best so far is kept)";
  if (!fit.training.out_of_patience) return "";
  return fmt::format(" (no improvement for {} epochs)", fit.training.epochs - fit.training.best.epoch);
}

// How long the flow alone ran: as the model's own, or for as long as a heat-front's without settings.
std::string flow_time_text(const Fit& fit) {
  return std::isnan(fit.flow_time) ? "" : fmt::format("t = {}, ", fit.flow_time);
}

std::string interval_text(const ShareInterval& interval) {
  return fmt::format("{:.1f} to {:.1f} %", 100 * interval.low, 100 * interval.high);
}

// Where nothing was held back, what training found by labels left out.
std::string accuracy_text(const TrainedModel& model, const Scores& score) {
  const Split& split = model.split();
  if (split.validation.empty() && split.test.empty() && !model.left_out.nodes.empty())
    return fmt::format("about {}, judged on {}", percent(accuracy(model.left_out, model.data.labels)),
                       counted(std::ssize(model.left_out.nodes), "label", " left out while training"));
  return fmt::format("validation {}, test {}", percent(score.validation), percent(score.test));
}

std::string always_text(const Fit& fit) {
  return fmt::format("\n  always     {} would be right for {} of the {} nodes",
                     class_name(fit.model.data, fit.by_class.most_frequent), percent(fit.by_class.always),
                     fit.by_test_nodes ? "test" : "validation");
}

std::string class_table(const ClassReport& report, const Dataset& data) {
  TextRows rows = class_rows(report.scores, data);
  for (std::vector<std::string>& row : rows) row.front() = "  " + row.front();
  return text_table(rows);
}

double seconds_per_epoch(const Fit& fit) {
  return fit.training.seconds.train / static_cast<double>(epochs_here(fit));
}

// Nothing where the model's logits are its answer.
std::string solved_text(const Session& session, const SolveReport& report) {
  if (report.products == 0) return "";
  return fmt::format("  solved     {}in {}: {}\n",
                     session.flows() ? fmt::format("to t = {} ", session.flow_options().time) : "",
                     time_text(report.seconds), text_of(report));
}

}  // namespace

Json json_of(std::span<const ModelEntry> entries) {
  Json list = Json::array();
  for (const ModelEntry& entry : entries) list.push_back(entry_json(entry));
  return {{"models", list}};
}

std::string text_of(std::span<const ModelEntry> entries) {
  TextRows rows = {{"model", "uses", "new labels", "what it is"}};
  for (const ModelEntry& entry : entries) {
    rows.push_back({std::string(entry.name), uses_text(entry.uses),
                    entry.takes_labels ? "at once" : "by training", std::string(entry.what)});
  }
  return text_table(rows) +
         "\n\n`heatfront models NAME` lists the settings of one; `heatfront train DATA --model NAME` "
         "trains it.\nNew labels at once: `heatfront label` adds them to the trained model, and nothing is "
         "trained again.";
}

Json json_of(const ModelEntry& entry) {
  Json object = entry_json(entry);
  object["settings"] = describe_settings(std::string(entry.name));
  return object;
}

std::string text_of(const ModelEntry& entry) {
  return fmt::format(
      "{}: {}\n  uses        {}\n  new labels  {}\n  presets     {}\n\nSettings [and their "
      "defaults], for --set NAME=VALUE and preset files:\n{}",
      entry.name, entry.what, uses_text(entry.uses),
      entry.takes_labels ? "taken at once by `heatfront label`" : "need training again",
      presets_text(entry.name), fitted(describe_settings(std::string(entry.name)), kSettingColumn));
}

Json json_of(const FitReport& report) {
  const Fit& fit = report.fit;
  const EpochReport& best = fit.training.best;
  Json seconds = {{"load", report.load_seconds},
                  {"train", fit.training.seconds.train},
                  {"epoch", seconds_per_epoch(fit)}};
  if (report.profile) seconds["phases"] = phases_json(fit);
  return {
      {"dataset", fit.model.data.name},
      {"split", json_of(fit.model.split())},
      {"seed", fit.model.seed},
      {"model", fit.model.model},
      {"preset", fit.preset},
      {"options", fit.model.options},
      {"known_from", "train"},
      {"parameters", fit.parameters},
      {"epochs", fit.training.epochs},
      {"best_epoch", best.epoch},
      {"selected_by", fit.model.selected_by},
      {"interrupted", fit.training.stopped},
      {"train_accuracy", json_number(best.train_accuracy)},
      {"validation_accuracy", json_number(best.validation_accuracy)},
      {"test_accuracy", json_number(best.test_accuracy)},
      {"validation_loss", json_number(best.validation_loss)},
      {"most_frequent_class", fit.by_class.scores.empty()
                                  ? Json()
                                  : Json{{"class", class_name(fit.model.data, fit.by_class.most_frequent)},
                                         {"accuracy", json_number(fit.by_class.always)}}},
      {"uneven", fit.by_class.uneven},
      {"classes", json_of(fit.by_class.scores, fit.model.data)},
      {"softening", fit.model.softening},
      {"flow_alone",
       {{"validation_accuracy", json_number(fit.flow_validation_accuracy)},
        {"test_accuracy", json_number(fit.flow_test_accuracy)}}},
      {"products", fit.products},
      {"seconds", seconds}};
}

std::string text_of(const FitReport& report) {
  const Fit& fit = report.fit;
  const EpochReport& best = fit.training.best;
  return fmt::format(
             "{}: {} with {}, seed {}\n"
             "  split      {}\n"
             "  trained    {}, {} in {} ({} each){}\n"
             "  kept       {}\n"
             "  accuracy   train {}, validation {}, test {}\n"
             "  flow alone validation {}, test {} ({}nothing learned)",
             printable(fit.model.data.name), fit.model.model,
             fit.preset == "none" ? "the default settings" : "preset " + printable(fit.preset),
             fit.model.seed, text_of(fit.model.split()), counted(fit.parameters, "parameter"),
             counted(fit.training.epochs, "epoch"), time_text(fit.training.seconds.train),
             time_text(seconds_per_epoch(fit)), ending_text(fit), kept_text(fit),
             percent(best.train_accuracy), percent(best.validation_accuracy), percent(best.test_accuracy),
             percent(fit.flow_validation_accuracy), percent(fit.flow_test_accuracy), flow_time_text(fit)) +
         (fit.by_class.uneven ? always_text(fit) + "\n\n" + class_table(fit.by_class, fit.model.data) + "\n"
                              : "");
}

Json json_of(const AutoFit& result) {
  const TrainedModel& model = result.fit.model;
  const Candidate& chosen = result.candidates[result.chosen];
  Json candidates = Json::array();
  for (const Candidate& candidate : result.candidates)
    candidates.push_back(
        {{"model", candidate.model},
         {"left_out_accuracy", json_number(candidate.accuracy)},
         {"left_out_macro_f1", json_number(candidate.macro_f1)},
         {"interval", {json_number(candidate.interval.low), json_number(candidate.interval.high)}},
         {"seconds", candidate.seconds}});
  const EpochReport& best = result.fit.training.best;
  return {
      {"dataset", model.data.name},
      {"split", json_of(model.split())},
      {"seed", model.seed},
      {"model", model.model},
      {"options", model.options},
      {"known", model.known.nodes.size()},
      {"candidates", candidates},
      {"left_out_accuracy", json_number(chosen.accuracy)},
      {"left_out_interval", {json_number(chosen.interval.low), json_number(chosen.interval.high)}},
      {"left_out_labels", chosen.labels},
      {"most_frequent_class",
       {{"class", class_name(model.data, result.most_frequent_class)}, {"accuracy", result.most_frequent}}},
      {"uneven", result.by_class.uneven},
      {"classes", json_of(result.by_class.scores, model.data)},
      {"softening", model.softening},
      {"validation_accuracy", json_number(best.validation_accuracy)},
      {"test_accuracy", json_number(best.test_accuracy)}};
}

// Of the candidate that was right most often, where it was not chosen; nothing where it was.
std::string why_not_text(const AutoFit& result) {
  const Candidate& chosen = result.candidates[result.chosen];
  const auto best = std::ranges::max_element(result.candidates, {}, &Candidate::accuracy);
  if (!(best->accuracy > chosen.accuracy)) return "";
  return fmt::format("\n             {} was better by {:.1f} points on {}, which is too little to prefer it",
                     best->model, 100 * (best->accuracy - chosen.accuracy), counted(best->labels, "label"));
}

// A class with a single label is unknown where that is left out.
std::string single_labels_text(const TrainedModel& model) {
  std::vector<std::int64_t> labels(at(model.data.classes()));
  for (ClassId label : model.known.classes) ++labels[at(label)];
  const auto single = std::ranges::count(labels, 1);
  if (single == 0) return "";
  if (single == std::ssize(model.known.nodes))
    return fmt::format(
        "\n             this says nothing: every class has a single label, and once that is left out no "
        "model knows the class{}",
        model.model == kFlowAlone ? ";\n             so the flow answers, which has nothing to choose"
                                  : ";\n             `heatfront solve` works with one label per class, and "
                                    "does better where features say little");
  return fmt::format(
      "\n             too low, perhaps: {} a single label, and once that is left out no model knows the "
      "class",
      single == 1 ? std::string("1 class has") : fmt::format("{} classes have", single));
}

std::string text_of(const AutoFit& result) {
  const TrainedModel& model = result.fit.model;
  const Candidate& chosen = result.candidates[result.chosen];
  TextRows rows = {{"  tried", "right on labels left out", "95 % interval", "time"}};
  rows.push_back({fmt::format("  always {}", class_name(model.data, result.most_frequent_class)),
                  percent(result.most_frequent), "", ""});
  for (const Candidate& candidate : result.candidates)
    rows.push_back({"  " + candidate.model + (candidate.model == chosen.model ? " ←" : ""),
                    percent(candidate.accuracy), interval_text(candidate.interval),
                    time_text(candidate.seconds)});
  const EpochReport& best = result.fit.training.best;
  std::string text = fmt::format(
      "{}: {}, {}\n\n{}\n\n"
      "  chosen     {}{}\n"
      "  accuracy   about {} on nodes like the labelled ones, judged on the labels left out{}",
      printable(model.data.name), model.model,
      counted(std::ssize(model.known.nodes), "label", ", all of which train"), text_table(rows), chosen.model,
      why_not_text(result), percent(chosen.accuracy), single_labels_text(model));
  if (!model.split().test.empty()) text += fmt::format("\n  test       {}", percent(best.test_accuracy));
  if (result.by_class.uneven)
    text += fmt::format("\n\n  The labels left out, class by class:\n{}\n",
                        class_table(result.by_class, model.data));
  return text;
}

Json json_of(const TrainedFurther& result) {
  const TrainedModel& model = result.fit.model;
  const EpochReport& best = result.fit.training.best;
  return {{"labels", model.known.nodes.size()},
          {"went_on", result.went_on},
          {"accuracy_anew", json_number(result.anew)},
          {"accuracy_going_on", json_number(result.on)},
          {"judged", result.judged},
          {"judged_by", result.judged == 0     ? Json()
                        : result.by_validation ? Json("validation nodes")
                                               : Json("labels that came later")},
          {"left_out_accuracy", json_number(accuracy(model.left_out, model.data.labels))},
          {"left_out_labels", model.left_out.nodes.size()},
          {"validation_accuracy", json_number(best.validation_accuracy)},
          {"test_accuracy", json_number(best.test_accuracy)}};
}

std::string text_of(const TrainedFurther& result, double seconds) {
  const TrainedModel& model = result.fit.model;
  const EpochReport& best = result.fit.training.best;
  std::string text = fmt::format("  trained    on {} in {}", counted(std::ssize(model.known.nodes), "label"),
                                 time_text(seconds));
  if (result.judged > 0)
    text += fmt::format(", {}: going on was right for {} of {}, training anew for {}",
                        result.went_on ? "on from where it was" : "anew", percent(result.on),
                        result.by_validation ? counted(result.judged, "validation node")
                                             : counted(result.judged, "label", " that came later"),
                        percent(result.anew));
  return text + "\n  accuracy   " +
         accuracy_text(model, {.validation = best.validation_accuracy, .test = best.test_accuracy});
}

std::string profile_text(const Fit& fit) {
  const auto epochs = static_cast<double>(epochs_here(fit));
  TextRows rows = {{"phase", "ms per epoch"}};
  for (const Phase& phase : phases(fit.training.seconds))
    rows.push_back({std::string(phase.name), fmt::format("{:.3f}", 1000 * phase.seconds / epochs)});
  return text_table(rows) +
         "\n(a step and judging the one before run side by side where there are threads for it)";
}

Progress progress_of(const EpochReport& report, const EpochReport& best) {
  return {.stage = "training",
          .done = report.epoch,
          .total = report.epochs,
          .unit = "epochs",
          .detail = fmt::format("loss {:.4f}, validation {} (kept {}), train {}, test {}", report.loss,
                                percent(report.validation_accuracy), percent(best.validation_accuracy),
                                percent(report.train_accuracy), percent(report.test_accuracy))};
}

Json json_of(std::span<const EpochReport> history) {
  Json epochs = Json::array();
  for (const EpochReport& report : history)
    epochs.push_back({{"epoch", report.epoch},
                      {"loss", json_number(report.loss)},
                      {"validation_loss", json_number(report.validation_loss)},
                      {"train_accuracy", json_number(report.train_accuracy)},
                      {"validation_accuracy", json_number(report.validation_accuracy)},
                      {"test_accuracy", json_number(report.test_accuracy)}});
  return epochs;
}

void write_history(std::span<const EpochReport> history, const std::filesystem::path& path) {
  CsvFile file(path, "epoch,loss,validation_loss,train_accuracy,validation_accuracy,test_accuracy");
  for (const EpochReport& report : history) {
    file.add("{},{:.9g},{},{},{},{}\n", report.epoch, report.loss, csv_number(report.validation_loss, 9),
             csv_number(report.train_accuracy, 6), csv_number(report.validation_accuracy, 6),
             csv_number(report.test_accuracy, 6));
  }
  file.commit();
}

Json json_of(const Session& session) {
  const TrainedModel& model = session.model();
  const Judged judged = judged_by(model.split(), model.known.nodes);
  return {{"dataset", model.data.name},
          {"model", model.model},
          {"split", json_of(model.split())},
          {"known", model.known.nodes.size()},
          {"validation_labels_included", judged.validation_included},
          {"test_labels_included", judged.test_included}};
}

std::string text_of(const Session& session) {
  const TrainedModel& model = session.model();
  std::int64_t held_back = 0;
  for (NodeId u = 0; u < model.data.nodes(); ++u)
    held_back += model.data.labels[at(u)] != kUnknown && session.known_class(u) == kUnknown;
  return fmt::format("{}: {}, split {} (hash {}), {}{}{}", printable(model.data.name), model.model,
                     printable(model.split().name), model.split().hash(),
                     counted(std::ssize(model.known.nodes), "known label"),
                     held_back > 0 ? fmt::format(", {} more held back", grouped(held_back)) : "",
                     included_text(judged_by(model.split(), model.known.nodes)));
}

Json json_of(const Session& session, const Answer& answer) {
  const TrainedModel& model = session.model();
  const Scores score = scores(answer, model.data, judged_by(model.split(), model.known.nodes).split);
  const SolveReport& report = answer.temperatures.report;
  Json object = json_of(session);
  object.update(json_of(report));
  object.update({{"validation_accuracy", json_number(score.validation)},
                 {"test_accuracy", json_number(score.test)},
                 {"left_out_accuracy", json_number(accuracy(model.left_out, model.data.labels))},
                 {"decided", answer.decisions.count(NodeStatus::decided)},
                 {"undecided", answer.decisions.count(NodeStatus::undecided)},
                 {"unreached", answer.decisions.count(NodeStatus::unreached)},
                 {"seconds", report.seconds}});
  return object;
}

std::string text_of(const Session& session, const Answer& answer) {
  const TrainedModel& model = session.model();
  const Scores score = scores(answer, model.data, judged_by(model.split(), model.known.nodes).split);
  return fmt::format("{}\n{}  accuracy   {}\n  nodes      {}", text_of(session),
                     solved_text(session, answer.temperatures.report), accuracy_text(model, score),
                     counts_text(answer.decisions));
}

}  // namespace heatfront
