// SPDX-License-Identifier: MIT
#include "heatfront_report/target_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_report/drawing/axis.h"
#include "heatfront_report/tables.h"
#include "heatfront_report/target_scores.h"

namespace heatfront {
namespace {

std::string attribute_text(const TargetAttributeShare& share, const Dataset& data) {
  return share.is_node ? "being near " + data.node_name(static_cast<NodeId>(share.column))
                       : data.feature_name(share.column);
}

constexpr std::size_t kPartsOfASum = 3;  // in a line
constexpr std::size_t kLinesShown = 20;

// What is added, and by how much; only the most of it is said.
using AddedParts = std::vector<std::pair<std::string, double>>;
std::string most_added_text(AddedParts parts) {
  std::ranges::stable_sort(parts, std::greater(), [](const auto& part) { return std::abs(part.second); });
  if (parts.size() > kPartsOfASum) parts.resize(kPartsOfASum);
  std::vector<std::string> texts;
  for (const auto& [what, adds] : parts) texts.push_back(fmt::format("{} {}", what, added_text(adds)));
  return join(texts, ", ");
}

TextRows added_rows(const std::vector<TargetLabelShare>& labels, const Dataset& data) {
  TextRows rows = {{"known label", "value", "weight", "adds"}};
  for (const TargetLabelShare& share : labels)
    rows.push_back({data.node_name(share.node), value_text(share.value), fmt::format("{:.4f}", share.weight),
                    added_text(share.adds)});
  return rows;
}

TextRows added_rows(const std::vector<TargetAttributeShare>& attributes, const Dataset& data) {
  TextRows rows = {{"attribute, its own and its neighbours'", "adds"}};
  for (const TargetAttributeShare& share : attributes)
    rows.push_back({attribute_text(share, data), added_text(share.adds)});
  return rows;
}

TextRows explained_rows(const std::vector<TargetExplanation>& explanations, const TargetModel& model) {
  TextRows rows = {
      {"node", model.thresholds.empty() ? "value of" : "class", "is", "status", "strongest reasons"}};
  for (const TargetExplanation& e : explanations)
    rows.push_back({model.data.node_name(e.node), model.data.targets.names[e.column], value_text(e.value),
                    std::string(name_of(e.status)), reasons_text(e, model.data)});
  return rows;
}

// "label 51192 of H17"; of many labels "label law of doc2", "doc3 without law".
std::string label_text(const TargetLabelShare& share, const Targets& targets, std::size_t column,
                       const std::string& node) {
  if (targets.kind != LabelKind::many) return fmt::format("label {} of {}", value_text(share.value), node);
  return share.value > 0 ? fmt::format("label {} of {}", targets.names[column], node)
                         : fmt::format("{} without {}", node, targets.names[column]);
}

// The sentences before the tables.
std::string sums_text(const TargetExplanation& e) {
  if (e.status == TargetStatus::known) return "Its label is known and held fixed, so nothing else counts.";
  if (e.status == TargetStatus::unreached) return "No label is connected to it, so it gets the mean of all.";
  const std::string mean =
      fmt::format("That is the mean of the labels, {}, and what is added to it", value_text(e.centre));
  if (e.both)
    return fmt::format(
        "{}:\n{} by its own attributes and its neighbours', and {} by labelled nodes that lie above or "
        "below "
        "what\ntheirs say.",
        mean, added_text(e.from_attributes), added_text(e.from_labels));
  if (std::isnan(e.from_attributes))
    return fmt::format("{} by each known label, {} in all.", mean, added_text(e.from_labels));
  return fmt::format(
      "{}, {}: the sum of what each known label adds, and equally of what each attribute adds.", mean,
      added_text(e.from_labels));
}

}  // namespace

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
  text += sums_text(e);
  if (e.status != TargetStatus::estimated) return text;
  if (!e.labels.empty()) text += "\n\n" + text_table(added_rows(e.labels, data));
  if (!e.attributes.empty()) text += "\n\n" + text_table(added_rows(e.attributes, data));
  return text + fmt::format("\n\nCheck: all parts add up to its value within {:.1e}.", e.residual);
}

std::string reasons_text(const TargetExplanation& e, const Dataset& data) {
  if (e.status == TargetStatus::known) return "its label is known";
  if (e.status == TargetStatus::unreached) return "no label is connected to it";
  AddedParts labels, attributes;
  for (const TargetLabelShare& share : e.labels)
    labels.emplace_back(label_text(share, data.targets, e.column, data.node_name(share.node)), share.adds);
  for (const TargetAttributeShare& share : e.attributes)
    attributes.emplace_back(attribute_text(share, data), share.adds);
  if (e.both) {  // one sum
    labels.insert(labels.end(), attributes.begin(), attributes.end());
    attributes.clear();
  }
  std::vector<std::string> sums;
  if (!labels.empty()) sums.push_back(most_added_text(std::move(labels)));
  if (!attributes.empty()) sums.push_back("the same by attribute: " + most_added_text(std::move(attributes)));
  return join(sums, "; ");
}

std::string text_of(const std::vector<TargetExplanation>& explanations, const TargetSession& session) {
  return text_of(session) + "\n" + text_table(explained_rows(explanations, session.model()));
}

std::string html_of(const std::vector<TargetExplanation>& explanations, const TargetSession& session) {
  const TargetModel& model = session.model();
  std::string body = fmt::format("<p>{}</p>\n{}", escaped(text_of(session)),
                                 html_table(explained_rows(explanations, model), 5));
  for (const TargetExplanation& e : explanations) {
    body +=
        fmt::format("<h2>{}: {} {}</h2>\n<p>{}</p>\n", escaped(model.data.node_name(e.node)),
                    escaped(model.data.targets.names[e.column]), value_text(e.value), escaped(sums_text(e)));
    if (e.status != TargetStatus::estimated) continue;
    if (!e.labels.empty()) body += html_table(added_rows(e.labels, model.data));
    if (!e.attributes.empty()) body += html_table(added_rows(e.attributes, model.data));
    body += fmt::format("<p>All parts add up to its value within {:.1e}.</p>\n", e.residual);
  }
  return html_page(fmt::format("{}: why these", model.data.name), body);
}

Json json_of(const TargetRanking& ranking, const TargetModel& model) {
  Json nodes = Json::array();
  for (const TargetExplanation& e : ranking.nodes)
    nodes.push_back({{"node", model.data.node_name(e.node)},
                     {"status", name_of(e.status)},
                     {model.thresholds.empty() ? "value" : "score", e.value},
                     {"reasons", reasons_text(e, model.data)}});
  return {{model.thresholds.empty() ? "column" : "class", model.data.targets.names[ranking.column]},
          {"candidates", ranking.candidates},
          {"nodes", nodes}};
}

std::string text_of(const TargetRanking& ranking, const TargetModel& model) {
  const std::string& name = model.data.targets.names[ranking.column];
  TextRows rows = {{"node", name, "strongest reasons"}};
  const std::size_t shown = std::min(kLinesShown, ranking.nodes.size());
  for (const TargetExplanation& e : std::span(ranking.nodes).first(shown))
    rows.push_back({model.data.node_name(e.node), value_text(e.value), reasons_text(e, model.data)});
  std::string text = fmt::format("The {} {} {}, of {}:\n{}", counted(std::ssize(ranking.nodes), "node"),
                                 model.thresholds.empty() ? "highest in" : "likeliest to be", printable(name),
                                 grouped(ranking.candidates), text_table(rows));
  if (const auto more = ranking.nodes.size() - shown; more > 0)
    text += fmt::format("\n… and {} more, which -o FILE.csv and --json list", more);
  return text;
}

void write_ranking(const TargetRanking& ranking, const TargetModel& model,
                   const std::filesystem::path& path) {
  CsvFile file(path,
               fmt::format("node,status,{},reasons", csv_cell(model.data.targets.names[ranking.column])));
  for (const TargetExplanation& e : ranking.nodes)
    file.add("{},{},{:.9g},{}\n", csv_cell(model.data.node_name(e.node)), name_of(e.status), e.value,
             csv_cell(reasons_text(e, model.data)));
  file.commit();
}

}  // namespace heatfront
