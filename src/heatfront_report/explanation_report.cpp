// SPDX-License-Identifier: MIT
#include "heatfront_report/explanation_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront_report/drawing/axis.h"
#include "heatfront_report/drawing/chart.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

constexpr std::size_t kFrontClasses = 3;
constexpr std::size_t kReasonsOfASum = 3;  // in a line
constexpr double kShownAsNothing = 5e-5;   // with four digits
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
    return fmt::format("It leads {} by {:.4g}: the sum of what each known label adds{}{}.",
                       shown_class(data, e.second), e.lead,
                       e.lead_from_prior == 0
                           ? ""
                           : fmt::format(" and {:+.4g} for how frequent the classes are", e.lead_from_prior),
                       std::isnan(e.lead_from_attributes) ? "" : ", and equally of what each attribute adds");
  return fmt::format(
      "It leads {} by {:.4g}, of which known labels give {:+.4g} and fronts {:+.4g}.\n"
      "Of the total influence, known labels make up {} and fronts {}.",
      shown_class(data, e.second), e.lead, e.lead_from_labels, e.lead_from_front,
      share_of(e.pull_of_labels, e), share_of(e.pull_of_front, e));
}

TextRows label_rows(const Explanation& e, const Dataset& data) {
  const bool of_a_flow = std::isnan(e.lead_from_attributes);
  TextRows rows = {
      {"known label", "class", of_a_flow ? "heat" : "for its class", "adds to the lead", "share"}};
  for (const LabelShare& share : e.labels) {
    rows.push_back({data.node_name(share.node), class_name(data, share.label),
                    fmt::format("{:.4f}", share.heat), fmt::format("{:+.4f}", share.lead),
                    share_of(share.lead, e)});
  }
  return rows;
}

std::string place_of(const FrontShare& share, const Explanation& e) {
  return share.node == e.node ? "itself" : share.neighbour ? "neighbour" : "farther";
}

TextRows front_rows(const Explanation& e, const Dataset& data) {
  TextRows rows = {{"front of", "which is", "says", "weight", "adds to the lead", "share"}};
  for (const FrontShare& share : e.fronts) {
    rows.push_back({data.node_name(share.node), place_of(share, e), class_name(data, share.label),
                    fmt::format("{:.4f}", share.weight), fmt::format("{:+.4f}", share.lead),
                    share_of(share.lead, e)});
  }
  return rows;
}

std::string attribute_name(const AttributeShare& share, const Dataset& data) {
  return share.is_node ? "being near " + data.node_name(static_cast<NodeId>(share.column))
                       : data.feature_name(share.column);
}

// Shares of an attribute are of all attributes' pull: it is another sum than that of the labels.
TextRows attribute_rows(const Explanation& e, const Dataset& data) {
  TextRows rows = {{"attribute, its own and its neighbours'", "adds to the lead"}};
  for (const AttributeShare& share : e.attributes)
    rows.push_back({attribute_name(share, data), fmt::format("{:+.4f}", share.lead)});
  return rows;
}

// What made one front; the rest is what is not listed.
TextRows made_rows(const FrontMade& made, const Explanation& e, const Dataset& data) {
  TextRows rows = {{made.node == e.node ? "what made its own front"
                                        : fmt::format("what made the front of {}", data.node_name(made.node)),
                    "adds to the lead"}};
  double rest = made.lead - made.from_nothing;
  for (const AttributeShare& share : made.attributes) {
    rows.push_back({attribute_name(share, data), fmt::format("{:+.4f}", share.lead)});
    rest -= share.lead;
  }
  if (std::abs(rest) < kShownAsNothing) rest = 0;  // the rounding of a sum may be below 0
  rows.push_back({"all other attributes", fmt::format("{:+.4f}", rest)});
  rows.push_back({"without any attribute", fmt::format("{:+.4f}", made.from_nothing)});
  return rows;
}

double made_residual(const Explanation& e) {
  double most = 0;
  for (const FrontMade& made : e.made) most = std::max(most, made.residual);
  return most;
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

Json made_json(const Explanation& e, const Dataset& data) {
  Json list = Json::array();
  for (const FrontMade& made : e.made) {
    Json attributes = Json::array();
    for (const AttributeShare& share : made.attributes)
      attributes.push_back(
          {{"attribute", attribute_name(share, data)}, {"column", share.column}, {"lead", share.lead}});
    list.push_back({{"node", data.node_name(made.node)},
                    {"lead", made.lead},
                    {"from_nothing", made.from_nothing},
                    {"residual", made.residual},
                    {"attributes", attributes}});
  }
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

Json explanation_json(const Explanation& e, const Dataset& data) {
  Json object;
  object["node"] = data.node_name(e.node);
  object["class"] = class_name(data, e.label);
  object["given"] = class_name(data, e.given);
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
  object["made"] = made_json(e, data);
  object["times"] = e.times;
  for (const ClassCurve& curve : e.curves)
    object["curves"][class_name(data, curve.label)] = curve.temperatures;
  object["without"] = without_json(e, data);
  return object;
}

// What adds to the lead, or takes from it.
struct Reason {
  std::string what;
  double lead = 0;
};

template <class Share, class Text>
void add_reasons(const std::vector<Share>& shares, const Text& text, std::vector<Reason>& reasons) {
  for (const Share& share : shares)
    if (share.lead != 0) reasons.push_back({text(share), share.lead});
}

// "label fraud of b17 +0.41, front of b3 (neighbour) +0.1": the strongest parts of one sum.
std::string strongest_text(std::vector<Reason> reasons) {
  std::ranges::stable_sort(reasons, std::greater(),
                           [](const Reason& reason) { return std::abs(reason.lead); });
  if (reasons.size() > kReasonsOfASum) reasons.resize(kReasonsOfASum);
  std::vector<std::string> parts;
  for (const Reason& reason : reasons) parts.push_back(fmt::format("{} {:+.3g}", reason.what, reason.lead));
  return join(parts, ", ");
}

}  // namespace

double share_of_labels(const Explanation& e) {
  return e.pull_of_labels / (e.pull_of_labels + e.pull_of_front);
}

std::string reasons_text(const Explanation& e, const Dataset& data) {
  if (e.status == NodeStatus::known) return "its label is known";
  std::vector<Reason> parts, attributes;
  add_reasons(
      e.labels,
      [&](const LabelShare& share) {
        return fmt::format("label {} of {}", class_name(data, share.label), data.node_name(share.node));
      },
      parts);
  add_reasons(
      e.fronts,
      [&](const FrontShare& share) {
        return share.node == e.node
                   ? std::string("its own front")
                   : fmt::format("front of {} ({})", data.node_name(share.node), place_of(share, e));
      },
      parts);
  const bool own_front = !e.made.empty() && e.made[0].node == e.node;
  add_reasons(
      own_front ? e.made[0].attributes : e.attributes,
      [&](const AttributeShare& share) { return attribute_name(share, data); }, attributes);
  std::vector<std::string> sums;
  if (!parts.empty()) sums.push_back(strongest_text(std::move(parts)));
  if (!attributes.empty())
    sums.push_back((own_front ? "its own front by " : "the same by attribute: ") +
                   strongest_text(std::move(attributes)));
  return join(sums, "; ");
}

namespace {

TextRows reason_rows(const std::vector<Explanation>& explanations, const Dataset& data) {
  TextRows rows = {{"node", "class", "confidence", "strongest reasons"}};
  for (const Explanation& e : explanations)
    rows.push_back({data.node_name(e.node), class_name(data, e.label),
                    percent(static_cast<double>(e.confidence)), reasons_text(e, data)});
  return rows;
}

}  // namespace

Json json_of(const Explanation& e, const Session& session) {
  Json object = json_of(session);
  object.update(explanation_json(e, session.model().data));
  return object;
}

std::string text_of(const Explanation& e, const Session& session) {
  const Dataset& data = session.model().data;
  std::string text = fmt::format("node {} of {}: {}, confidence {:.1f} %, {}\n",
                                 printable(data.node_name(e.node)), printable(data.name),
                                 shown_class(data, e.label), 100 * e.confidence, settled_text(e.status));
  if (e.given != e.label) text += fmt::format("The class that it has is {}.\n", shown_class(data, e.given));
  if (e.status == NodeStatus::known) {
    text += "Its label is known and held fixed, so nothing else counts.\n";
  } else {
    if (!e.own_front.empty())
      text += fmt::format("Its own front, before any heat flows: {}.\n", front_text(e, data));
    text += lead_text(e, data) + "\n";
    if (!e.labels.empty()) text += "\n" + text_table(label_rows(e, data)) + "\n";
    if (!e.fronts.empty()) text += "\n" + text_table(front_rows(e, data)) + "\n";
    for (const FrontMade& made : e.made) text += "\n" + text_table(made_rows(made, e, data)) + "\n";
    if (!e.attributes.empty()) text += "\n" + text_table(attribute_rows(e, data)) + "\n";
    text += e.curves.empty() ? "\n" : "\n" + curves_plot(e, data) + "\n\n";
  }
  for (const WithoutLabel& without : e.without) text += without_text(without, e, data) + "\n";
  text += fmt::format("Check: all parts add up to its temperatures within {:.1e}", e.residual);
  return text + (e.made.empty() ? "."
                                : fmt::format(", and attributes to the fronts that they made within {:.1e}.",
                                              made_residual(e)));
}

Json json_of(const std::vector<Explanation>& explanations, const Session& session) {
  Json object = json_of(session);
  object["explanations"] = Json::array();
  for (const Explanation& e : explanations)
    object["explanations"].push_back(explanation_json(e, session.model().data));
  return object;
}

std::string text_of(const std::vector<Explanation>& explanations, const Session& session) {
  return text_of(session) + "\n" + text_table(reason_rows(explanations, session.model().data));
}

std::string html_of(const std::vector<Explanation>& explanations, const Session& session) {
  const Dataset& data = session.model().data;
  std::string body = fmt::format(
      "<p>{}</p>\n<p>The lead is how much warmer the class is than the warmest other one. Each part adds to "
      "it or "
      "takes from it.</p>\n{}",
      escaped(text_of(session)), html_table(reason_rows(explanations, data), 4));
  for (const Explanation& e : explanations) {
    body += fmt::format("<h2>{}: {}, {:.1f} %</h2>\n", escaped(data.node_name(e.node)),
                        escaped(class_name(data, e.label)), 100 * e.confidence);
    if (e.status == NodeStatus::known) {
      body += "<p>Its label is known and held fixed, so nothing else counts.</p>\n";
      continue;
    }
    if (!e.own_front.empty())
      body += fmt::format("<p>Its own front, before any heat flows: {}.</p>\n", escaped(front_text(e, data)));
    body += "<p>" + escaped(lead_text(e, data)) + "</p>\n";
    if (!e.labels.empty()) body += html_table(label_rows(e, data), 2);
    if (!e.fronts.empty()) body += html_table(front_rows(e, data), 3);
    for (const FrontMade& made : e.made) body += html_table(made_rows(made, e, data));
    if (!e.attributes.empty()) body += html_table(attribute_rows(e, data));
    body += fmt::format("<p>All parts add up to its temperatures within {:.1e}.</p>\n",
                        std::max(e.residual, made_residual(e)));
  }
  return html_page(fmt::format("{}: why these classes", data.name), body);
}

}  // namespace heatfront
