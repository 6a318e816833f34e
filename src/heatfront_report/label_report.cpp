// SPDX-License-Identifier: MIT
#include "heatfront_report/label_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/explanation_report.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

constexpr std::size_t kMovedShown = 20;
constexpr std::size_t kLabelsEchoed = 5;  // labels that were set

Json changes_json(const LabelEffect& effect, const Dataset& data) {
  Json list = Json::array();
  for (const std::vector<ChangedNode>* nodes : {&effect.moved, &effect.told}) {
    for (const ChangedNode& node : *nodes) {
      list.push_back({{"node", data.node_name(node.node)},
                      {"before", effect.names_before[at(node.before)]},
                      {"after", class_name(data, node.after)},
                      {"margin_before", node.margin_before},
                      {"margin_after", node.margin_after},
                      {"moved_by", node.moved},
                      {"told", node.told}});
    }
  }
  return list;
}

std::string moved_table(const LabelEffect& effect, const Dataset& data) {
  TextRows rows = {{"node", "before", "after", "margin before", "margin after", "moved by"}};
  for (std::size_t i = 0; i < std::min(kMovedShown, effect.moved.size()); ++i) {
    const ChangedNode& node = effect.moved[i];
    rows.push_back({data.node_name(node.node), effect.names_before[at(node.before)],
                    class_name(data, node.after), fmt::format("{:.3f}", node.margin_before),
                    fmt::format("{:.3f}", node.margin_after), fmt::format("{:.3f}", node.moved)});
  }
  const auto more = std::ssize(effect.moved) - std::ssize(rows) + 1;
  return "\n\n" + text_table(rows) +
         (more > 0 ? fmt::format("\n… and {} more, which --json lists", grouped(more)) : "");
}

std::string set_text(const LabelCounts& labels, const Session& session) {
  const Dataset& data = session.model().data;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kLabelsEchoed, labels.set.size()); ++i) {
    const NodeId u = labels.set[i];
    shown.push_back(
        printable(fmt::format("{} = {}", data.node_name(u), class_name(data, session.known_class(u)))));
  }
  if (shown.empty()) return "";
  return ": " + join(shown, ", ") + (shown.size() < labels.set.size() ? ", …" : "");
}

// Of the nodes that the flow did not move: their own label is another, or was taken away.
std::string told_text(const LabelEffect& effect, const Session& session) {
  const auto taken = std::ranges::count_if(
      effect.told, [&](const ChangedNode& node) { return session.known_class(node.node) == kUnknown; });
  const auto told = std::ssize(effect.told) - taken;
  std::string text;
  if (told > 0) text = fmt::format(", besides {} whose own label was set", grouped(told));
  if (taken > 0)
    text +=
        fmt::format("{} {} whose own label was taken away", told > 0 ? " and" : ", besides", grouped(taken));
  return text;
}

// Before and after on the same nodes; where labels were taken away, also by the nodes that judge again.
std::string accuracy_text(const LabelEffect& effect) {
  const auto nodes = [](const Split& split) {
    return fmt::format("{} and {}", grouped(std::ssize(split.validation)),
                       counted(std::ssize(split.test), "node"));
  };
  const Split& judges = effect.judges;
  std::string text = "\n  accuracy   ";
  if (effect.judged.split.validation.empty() && effect.judged.split.test.empty() &&
      !effect.judged.validation_included && !effect.judged.test_included)
    return "";  // the split has none
  if (judges.validation.empty() && judges.test.empty()) {
    text += "cannot be compared: every validation and test node is labelled before or after";
  } else {
    text += fmt::format("validation {} → {}, test {} → {}, on {} that are unlabelled both before and after",
                        percent(effect.before.validation), percent(effect.after.validation),
                        percent(effect.before.test), percent(effect.after.test), nodes(judges));
  }
  if (const std::string included = included_text(effect.judged_before); !included.empty())
    text += " (before" + included + ")";
  const Split& now = effect.judged.split;
  if (now.validation.size() + now.test.size() > judges.validation.size() + judges.test.size())
    text += fmt::format("\n  now        validation {}, test {}, on {} whose label is not known",
                        percent(effect.now.validation), percent(effect.now.test), nodes(now));
  return text;
}

Json scores_json(const Scores& scores, const Judged& judged) {
  return {{"validation_accuracy", json_number(scores.validation)},
          {"test_accuracy", json_number(scores.test)},
          {"validation_labels_included", judged.validation_included},
          {"test_labels_included", judged.test_included}};
}

std::string margin_text(const Decisions& decisions, std::size_t u) {
  const double margin = margin_shown(decisions, u);
  return std::isnan(margin) ? "–" : fmt::format("{:.3f}", margin);
}

bool has_label(const Dataset& data, NodeId u) { return data.labels[at(u)] != kUnknown; }

}  // namespace

Json json_of(const LabelEffect& effect, const Dataset& data) {
  Json object;
  object["labels"] = {
      {"added", effect.labels.added}, {"changed", effect.labels.changed}, {"removed", effect.labels.removed}};
  object["moved"] = effect.moved.size();
  object["told"] = effect.told.size();
  object["foreseen"] = effect.foreseen;
  object["since_training"] = effect.since_training;
  object["unlearned"] = effect.unlearned;
  object["judged"] = {{"validation", effect.judges.validation.size()}, {"test", effect.judges.test.size()}};
  object["before"] = scores_json(effect.before, effect.judged_before);
  object["after"] = scores_json(effect.after, effect.judged);
  object["now"] = scores_json(effect.now, effect.judged);
  object["changes"] = changes_json(effect, data);
  return object;
}

std::string text_of(const LabelEffect& effect, const Session& session) {
  const Dataset& data = session.model().data;
  std::string text =
      fmt::format("  labels     {} new, {} changed, {} removed{}\n  moved      {} {} another class",
                  grouped(effect.labels.added), grouped(effect.labels.changed),
                  grouped(effect.labels.removed), set_text(effect.labels, session),
                  grouped(std::ssize(effect.moved)), effect.moved.size() == 1 ? "node has" : "nodes have");
  text += told_text(effect, session);
  if (effect.labels.added > 0)
    text += fmt::format("\n  foreseen   {} of {} labels set agree with what the model said before",
                        grouped(effect.foreseen), grouped(std::ssize(effect.labels.set)));
  if (is_outgrown(effect, session))
    text += fmt::format(
        "\n  training   {} {} come since training on {}; --train learns from all of them, in about {} as "
        "before",
        counted(effect.since_training, "label"), effect.since_training == 1 ? "has" : "have",
        grouped(effect.trained), counted(session.model().best_epoch, "epoch"));
  else if (effect.unlearned > 0)
    text += fmt::format(
        "\n  training   learned from {} that {} changed or taken away since; --train learns without {}",
        counted(effect.unlearned, "label"), effect.unlearned == 1 ? "was" : "were",
        effect.unlearned == 1 ? "it" : "them");
  text += accuracy_text(effect);
  return text + (effect.moved.empty() ? "" : moved_table(effect, data));
}

Json json_of(const Growth& growth, const Session& session, const Answer& answer) {
  const Dataset& data = session.model().data;
  Json nodes = Json::array(), moved = Json::array();
  for (NodeId u = growth.old_nodes; u < data.nodes(); ++u) {
    nodes.push_back({{"node", data.node_name(u)},
                     {"class", class_name(data, answer.decisions.classes[at(u)])},
                     {"confidence", answer.decisions.confidence[at(u)]},
                     {"margin", json_number(margin_shown(answer.decisions, at(u)))},
                     {"status", name_of(answer.decisions.status[at(u)])}});
  }
  for (const ChangedNode& node : growth.moved) {
    moved.push_back({{"node", data.node_name(node.node)},
                     {"before", class_name(data, node.before)},
                     {"after", class_name(data, node.after)},
                     {"moved_by", node.moved}});
  }
  return {{"old_nodes", growth.old_nodes},
          {"new_nodes", growth.new_nodes},
          {"new_edges", growth.new_edges},
          {"nodes", nodes},
          {"moved", moved}};
}

std::string text_of(const Growth& growth, const Session& session, const Answer& answer) {
  const Dataset& data = session.model().data;
  std::string text = fmt::format("  added      {} with {}; {} of {} changed class",
                                 counted(growth.new_nodes, "node"), counted(growth.new_edges, "edge"),
                                 grouped(std::ssize(growth.moved)), counted(growth.old_nodes, "old node"));
  TextRows rows = {{"new node", "class", "confidence", "margin", "status"}};
  const NodeId shown = std::min(data.nodes(), growth.old_nodes + static_cast<NodeId>(kMovedShown));
  for (NodeId u = growth.old_nodes; u < shown; ++u)
    rows.push_back({data.node_name(u), class_name(data, answer.decisions.classes[at(u)]),
                    percent(static_cast<double>(answer.decisions.confidence[at(u)])),
                    margin_text(answer.decisions, at(u)),
                    std::string(name_of(answer.decisions.status[at(u)]))});
  text += "\n\n" + text_table(rows);
  if (shown < data.nodes())
    text += fmt::format("\n… and {} more, which --json lists", grouped(data.nodes() - shown));
  if (growth.moved.empty()) return text;
  TextRows moved = {{"old node", "before", "after", "moved by"}};
  for (const ChangedNode& node : std::span(growth.moved).first(std::min(kMovedShown, growth.moved.size())))
    moved.push_back({data.node_name(node.node), class_name(data, node.before), class_name(data, node.after),
                     fmt::format("{:.3f}", node.moved)});
  return text + "\n\n" + text_table(moved);
}

void write_new_nodes(const Growth& growth, Session& session, const Answer& answer,
                     const std::filesystem::path& path) {
  const Dataset& data = session.model().data;
  std::vector<NodeId> nodes;
  for (NodeId u = growth.old_nodes; u < data.nodes(); ++u) nodes.push_back(u);
  std::vector<Explanation> reasons;
  if (session.is_linear()) reasons = explain(session, answer, nodes, {.made = 1, .curves = 0, .without = 0});
  CsvFile file(path, "node,class,confidence,margin,status,share_of_labels,reasons");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t u = at(nodes[i]);
    file.add("{},{},{:.6g},{},{},{},{}\n", csv_cell(data.node_name(nodes[i])),
             csv_cell(class_name(data, answer.decisions.classes[u])), answer.decisions.confidence[u],
             csv_number(margin_shown(answer.decisions, u), 6), name_of(answer.decisions.status[u]),
             reasons.empty() ? "" : csv_number(share_of_labels(reasons[i]), 4),
             reasons.empty() ? "" : csv_cell(reasons_text(reasons[i], data)));
  }
  file.commit();
}

Json json_of(const std::vector<Suggestion>& suggestions, const Dataset& data) {
  Json list = Json::array();
  for (const Suggestion& node : suggestions) {
    list.push_back({{"node", data.node_name(node.node)},
                    {"class", class_name(data, node.label)},
                    {"margin", node.margin},
                    {"expected_change", json_number(node.expected_change)},
                    {"held_back", has_label(data, node.node)}});
  }
  return list;
}

std::vector<Question> questions_of(const std::vector<Suggestion>& suggestions, const Answer& answer) {
  std::vector<Question> questions;
  for (const Suggestion& node : suggestions)
    questions.push_back({node.node, node.label, answer.decisions.confidence[at(node.node)]});
  return questions;
}

std::string text_of(const std::vector<Suggestion>& suggestions, const Dataset& data,
                    const SuggestOptions& options) {
  if (suggestions.empty()) return "Every node has a label, so there is nothing to suggest.";
  TextRows rows = {{"worth labelling", "class now", "margin", "nodes it may change"}};
  for (const Suggestion& node : suggestions) {
    rows.push_back({data.node_name(node.node), class_name(data, node.label),
                    fmt::format("{:.3f}", node.margin),
                    std::isnan(node.expected_change) ? "–" : fmt::format("{:.1f}", node.expected_change)});
  }
  const auto held_back =
      std::ranges::count_if(suggestions, [&](const Suggestion& node) { return has_label(data, node.node); });
  std::string text = text_table(rows);
  if (std::ssize(suggestions) < options.count)
    text += fmt::format("\nOnly {} of {}: all others have a label.", suggestions.size(), options.count);
  if (held_back > 0)
    text += fmt::format("\n{} of them {} a label in the data, which the split holds back for judging.",
                        held_back, held_back == 1 ? "has" : "have");
  return text;
}

}  // namespace heatfront
