// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/tables/target_table.h"
#include "heatfront_report/tables.h"
#include "heatfront_report/target_report.h"
#include "heatfront_report/target_scores.h"

namespace heatfront {
namespace {

constexpr std::size_t kNewShown = 20;

Json by_target(const Targets& targets, std::span<const double> row, double shift,
               std::span<const double> radius) {
  Json object = Json::object();
  for (std::size_t c = 0; c < row.size(); ++c)
    object[targets.names[c]] = json_number(row[c] + (radius.empty() ? 0 : shift * radius[c]));
  return object;
}

TextRows moved_rows(const std::vector<MovedTarget>& moved, const TargetModel& model) {
  TextRows rows = {{"old node", model.thresholds.empty() ? "value of" : "class", "before", "after"}};
  for (const MovedTarget& node : std::span(moved).first(std::min(kNewShown, moved.size())))
    rows.push_back({model.data.node_name(node.node), model.data.targets.names[node.column],
                    value_text(node.before), value_text(node.after)});
  return rows;
}

// Of all that is said of a node; of several columns, each under its name.
std::string reasons_of_node(TargetSession& session, const TargetAnswer& answer, NodeId u) {
  const TargetModel& model = session.model();
  const std::vector<std::size_t> columns = columns_to_explain(model, answer, u);
  std::vector<std::string> parts;
  for (std::size_t column : columns) {
    const std::string reasons = reasons_text(explain_target(session, answer, u, column), model.data);
    parts.push_back(columns.size() == 1 ? reasons : model.data.targets.names[column] + ": " + reasons);
  }
  return join(parts, " | ");
}

}  // namespace

Json nodes_json(const TargetModel& model, const TargetAnswer& answer, const TargetIntervals& intervals,
                NodeId first) {
  const Targets& targets = model.data.targets;
  Json nodes = Json::array();
  for (NodeId u = first; u < model.data.nodes(); ++u) {
    const auto row = answer.row(u);
    Json node = {{"node", model.data.node_name(u)}, {"status", name_of(answer.status[at(u)])}};
    if (!model.thresholds.empty()) {
      node["classes"] = said_classes(targets, answer, model.thresholds, u);
      node["scores"] = by_target(targets, row, 0, {});
    } else {
      const double reach = answer.status[at(u)] == TargetStatus::known ? 0 : 1;
      node["values"] = by_target(targets, row, 0, {});
      node["low"] = by_target(targets, row, -reach, intervals.radius);
      node["high"] = by_target(targets, row, reach, intervals.radius);
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

Json json_of(const GrownTargets& grown, const TargetIntervals& intervals) {
  const TargetModel& model = grown.session->model();
  Json moved = Json::array();
  for (const MovedTarget& node : grown.moved)
    moved.push_back({{"node", model.data.node_name(node.node)},
                     {"column", model.data.targets.names[node.column]},
                     {"before", node.before},
                     {"after", node.after}});
  return {{"old_nodes", grown.old_nodes},
          {"new_nodes", model.data.nodes() - grown.old_nodes},
          {"new_edges", grown.new_edges},
          {"nodes", nodes_json(model, grown.answer, intervals, grown.old_nodes)},
          {"moved", moved}};
}

std::string text_of(const GrownTargets& grown, const TargetIntervals& intervals) {
  const TargetModel& model = grown.session->model();
  const Targets& targets = model.data.targets;
  const NodeId added = model.data.nodes() - grown.old_nodes;
  std::string text = fmt::format("  added      {} with {}; {} of {} moved", counted(added, "node"),
                                 counted(grown.new_edges, "edge"), grouped(std::ssize(grown.moved)),
                                 counted(grown.old_nodes, "old node"));
  const bool many = !model.thresholds.empty();
  TextRows rows = {{"new node", "status"}};
  if (many) rows[0].push_back("classes");
  for (const std::string& name : shown_columns(targets)) {
    rows[0].push_back(name);
    if (!many) rows[0].push_back("give or take");
  }
  const NodeId shown = std::min(added, static_cast<NodeId>(kNewShown));
  for (NodeId u = grown.old_nodes; u < grown.old_nodes + shown; ++u) {
    const TargetStatus status = grown.answer.status[at(u)];
    rows.push_back({model.data.node_name(u), std::string(name_of(status))});
    if (many) rows.back().push_back(said_classes(targets, grown.answer, model.thresholds, u));
    for (std::size_t c = 0; c < std::min(kTargetsShown, targets.columns()); ++c) {
      rows.back().push_back(value_text(grown.answer.row(u)[c]));
      if (!many) rows.back().push_back(status == TargetStatus::known ? "" : value_text(intervals.radius[c]));
    }
  }
  text += "\n\n" + text_table(rows);
  if (shown < added) text += fmt::format("\n… and {} more, which --json lists", grouped(added - shown));
  if (!grown.moved.empty()) text += "\n\n" + text_table(moved_rows(grown.moved, model));
  return text;
}

void write_new_nodes(const GrownTargets& grown, const TargetIntervals& intervals,
                     const std::filesystem::path& path) {
  const TargetModel& model = grown.session->model();
  std::vector<std::string> reasons;
  for (NodeId u = grown.old_nodes; u < model.data.nodes(); ++u)
    reasons.push_back(reasons_of_node(*grown.session, grown.answer, u));
  write_target_predictions(model.data, grown.answer, intervals.radius, model.thresholds, path,
                           grown.old_nodes, reasons);
}

}  // namespace heatfront
