// SPDX-License-Identifier: MIT
#include "heatfront_report/explanation_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "heatfront/base/utf8.h"
#include "heatfront/data/names.h"
#include "heatfront_report/drawing/chart.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

constexpr std::size_t kFrontClasses = 3;
constexpr int kPlotColumns = 41, kPlotRows = 11;

// A pull as a percentage of all that speaks for the class or against it.
std::string share_of(double pull, const Explanation& e) {
  const double all = e.pull_of_labels + e.pull_of_front;
  return all > 0 ? fmt::format("{:.1f} %", 100 * std::abs(pull) / all) : "–";
}

// Confidence says how sure the class is; this, whether the solver's error could change it.
std::string settled_text(NodeStatus status) {
  switch (status) {
    case NodeStatus::decided: return "decided (it leads by more than the solver's error)";
    case NodeStatus::undecided: return "undecided (its lead is within the solver's error)";
    case NodeStatus::known:
    case NodeStatus::unreached: break;
  }
  return std::string(name_of(status));
}

// Within a line.
std::string shown_class(const Dataset& data, ClassId label) { return printable(class_name(data, label)); }

std::string front_text(const Explanation& e, const Dataset& data) {
  std::vector<Real> shares(e.own_front.begin(), e.own_front.end());
  std::string text;
  for (ClassId c : ranked_classes(shares, kFrontClasses)) {
    text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ", shown_class(data, c),
                        100 * e.own_front[static_cast<std::size_t>(c)]);
  }
  return text;
}

std::string lead_text(const Explanation& e, const Dataset& data) {
  if (e.fronts.empty())
    return fmt::format(
        "It leads {} by {:.4g}, which is the sum of what each known label gives{}{}.",
        shown_class(data, e.second), e.lead,
        e.lead_from_prior == 0
            ? ""
            : fmt::format(" and of {:+.4g} for how frequent the classes are", e.lead_from_prior),
        std::isnan(e.lead_from_attributes) ? "" : ", and also of what each attribute gives");
  return fmt::format(
      "It leads {} by {:.4g}, of which known labels give {:+.4g} and fronts {:+.4g}.\n"
      "Of the total influence, known labels make up {} and fronts {}.",
      shown_class(data, e.second), e.lead, e.lead_from_labels, e.lead_from_front,
      share_of(e.pull_of_labels, e), share_of(e.pull_of_front, e));
}

std::string labels_table(const Explanation& e, const Dataset& data) {
  TextRows rows = {{"known label", "class", "heat", "adds to the lead", "share"}};
  for (const LabelShare& share : e.labels) {
    rows.push_back({data.node_name(share.node), class_name(data, share.label),
                    fmt::format("{:.4f}", share.heat), fmt::format("{:+.4f}", share.lead),
                    share_of(share.lead, e)});
  }
  return text_table(rows);
}

std::string place_of(const FrontShare& share, const Explanation& e) {
  return share.node == e.node ? "itself" : share.neighbour ? "neighbour" : "farther";
}

std::string fronts_table(const Explanation& e, const Dataset& data) {
  TextRows rows = {{"front of", "which is", "says", "weight", "adds to the lead", "share"}};
  for (const FrontShare& share : e.fronts) {
    rows.push_back({data.node_name(share.node), place_of(share, e), class_name(data, share.label),
                    fmt::format("{:.4f}", share.weight), fmt::format("{:+.4f}", share.lead),
                    share_of(share.lead, e)});
  }
  return text_table(rows);
}

std::string attribute_name(const AttributeShare& share, const Dataset& data) {
  return share.is_node ? "being near " + data.node_name(static_cast<NodeId>(share.column))
                       : data.feature_name(share.column);
}

// Shares of an attribute are of all attributes' pull: it is another sum than that of the labels.
std::string attributes_table(const Explanation& e, const Dataset& data) {
  TextRows rows = {{"attribute, its own and its neighbourhood's", "adds to the lead"}};
  for (const AttributeShare& share : e.attributes)
    rows.push_back({attribute_name(share, data), fmt::format("{:+.4f}", share.lead)});
  return text_table(rows);
}

std::string curves_plot(const Explanation& e, const Dataset& data) {
  Chart chart{.title = "temperature over time", .x_name = "t", .x = e.times};
  for (const ClassCurve& curve : e.curves)
    chart.curves.push_back({class_name(data, curve.label), curve.temperatures});
  return text_of(chart, kPlotColumns, kPlotRows, chart.curves.size());
}

std::string without_text(const WithoutLabel& without, const Explanation& e, const Dataset& data) {
  return fmt::format(
      "Without the label of {}{}, it would {} {} with a lead of {:.4g}.",
      printable(data.node_name(without.node)), e.fronts.empty() ? "" : " (its front counts instead)",
      without.label == e.label ? "still be" : "be", shown_class(data, without.label), without.margin);
}

Json by_class(const std::vector<double>& values, const Dataset& data) {
  Json object = Json::object();
  for (std::size_t c = 0; c < values.size(); ++c) object[data.class_names[c]] = values[c];
  return object;
}

Json labels_json(const Explanation& e, const Dataset& data) {
  Json list = Json::array();
  for (const LabelShare& share : e.labels) {
    list.push_back({{"node", data.node_name(share.node)},
                    {"class", class_name(data, share.label)},
                    {"heat", share.heat},
                    {"lead", share.lead}});
  }
  return list;
}

Json fronts_json(const Explanation& e, const Dataset& data) {
  Json list = Json::array();
  for (const FrontShare& share : e.fronts) {
    list.push_back({{"node", data.node_name(share.node)},
                    {"which_is", place_of(share, e)},
                    {"class", class_name(data, share.label)},
                    {"weight", share.weight},
                    {"lead", share.lead}});
  }
  return list;
}

Json attributes_json(const Explanation& e, const Dataset& data) {
  Json list = Json::array();
  for (const AttributeShare& share : e.attributes)
    list.push_back(
        {{"attribute", attribute_name(share, data)}, {"column", share.column}, {"lead", share.lead}});
  return list;
}

Json without_json(const Explanation& e, const Dataset& data) {
  Json list = Json::array();
  for (const WithoutLabel& without : e.without) {
    list.push_back({{"node", data.node_name(without.node)},
                    {"class", class_name(data, without.label)},
                    {"margin", without.margin},
                    {"confidence", without.confidence}});
  }
  return list;
}

}  // namespace

Json json_of(const Explanation& e, const Session& session) {
  const Dataset& data = session.model().data;
  Json object = json_of(session);
  object["node"] = data.node_name(e.node);
  object["class"] = class_name(data, e.label);
  object["second"] = class_name(data, e.second);
  object["status"] = name_of(e.status);
  object["confidence"] = e.confidence;
  object["temperatures"] = by_class(e.temperatures, data);
  object["from_labels"] = by_class(e.from_labels, data);
  object["from_front"] = by_class(e.from_front, data);
  object["from_prior"] = by_class(e.from_prior, data);
  object["residual"] = e.residual;
  object["lead"] = e.lead;
  object["lead_from_labels"] = e.lead_from_labels;
  object["lead_from_front"] = e.lead_from_front;
  object["lead_from_prior"] = e.lead_from_prior;
  object["pull_of_labels"] = e.pull_of_labels;
  object["pull_of_front"] = e.pull_of_front;
  object["own_front"] = by_class(e.own_front, data);
  object["labels"] = labels_json(e, data);
  object["fronts"] = fronts_json(e, data);
  if (!std::isnan(e.lead_from_attributes)) {
    object["lead_from_attributes"] = e.lead_from_attributes;
    object["attributes"] = attributes_json(e, data);
  }
  object["times"] = e.times;
  for (const ClassCurve& curve : e.curves)
    object["curves"][class_name(data, curve.label)] = curve.temperatures;
  object["without"] = without_json(e, data);
  return object;
}

std::string text_of(const Explanation& e, const Session& session) {
  const Dataset& data = session.model().data;
  std::string text = fmt::format("node {} of {}: {}, confidence {:.1f} %, {}\n",
                                 printable(data.node_name(e.node)), printable(data.name),
                                 shown_class(data, e.label), 100 * e.confidence, settled_text(e.status));
  if (e.status == NodeStatus::known) {
    text += "Its label is known and held fixed, so nothing else counts.\n";
  } else {
    if (!e.own_front.empty())
      text += fmt::format("Its own front, before any heat flows: {}.\n", front_text(e, data));
    text += lead_text(e, data) + "\n";
    if (!e.labels.empty()) text += "\n" + labels_table(e, data) + "\n";
    if (!e.fronts.empty()) text += "\n" + fronts_table(e, data) + "\n";
    if (!e.attributes.empty()) text += "\n" + attributes_table(e, data) + "\n";
    text += e.curves.empty() ? "\n" : "\n" + curves_plot(e, data) + "\n\n";
  }
  for (const WithoutLabel& without : e.without) text += without_text(without, e, data) + "\n";
  return text + fmt::format("Check: all parts add up to its temperatures within {:.1e}.", e.residual);
}

}  // namespace heatfront
