// SPDX-License-Identifier: MIT
#include "heatfront/label/explain.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/softmax.h"
#include "heatfront/data/dataset.h"
#include "heatfront/flow/flow.h"
#include "heatfront/models/front_reasons.h"

namespace heatfront {
namespace {

template <class Share>
void keep_strongest(std::vector<Share>& shares, std::size_t count, double Share::*strength) {
  std::ranges::stable_sort(shares, std::greater(), [&](const Share& s) { return std::abs(s.*strength); });
  if (shares.size() > count) shares.resize(count);
}

double lead_of(std::span<const Real> row, const Explanation& e) {
  const double behind = e.second == e.label ? 0 : static_cast<double>(row[at(e.second)]);
  return static_cast<double>(row[at(e.label)]) - behind;
}

constexpr std::size_t kNodesAtOnce = 32;  // columns of a flow

// f(u), the class to explain and the one that comes next.
void take_answer(const Answer& answer, ClassId about, Explanation& e) {
  const auto row = answer.temperatures.values.row(e.node);
  const std::vector<ClassId> ranked = ranked_classes(row, 2);
  e.given = answer.decisions.classes[at(e.node)];
  e.label = about == kUnknown ? e.given : about;
  e.second = ranked.front() == e.label ? ranked.back() : ranked.front();
  e.status = answer.decisions.status[at(e.node)];
  e.confidence = e.label == e.given ? answer.decisions.confidence[at(e.node)]
                                    : static_cast<Real>(share_of_class(answer, e.node, e.label));
  e.lead = lead_of(row, e);
  e.temperatures.assign(row.begin(), row.end());
}

// The same of what is there by class whatever the node; nothing where there is none.
double lead_by_class(std::span<const double> by_class, const Explanation& e) {
  if (by_class.empty() || e.second == e.label) return by_class.empty() ? 0 : by_class[at(e.label)];
  return by_class[at(e.label)] - by_class[at(e.second)];
}

void add_labels(const KnownLabels& known, const Reasons& reasons, Explanation& e) {
  e.from_labels.resize(e.temperatures.size());
  e.from_prior = reasons.prior;
  e.from_prior.resize(e.temperatures.size());
  e.lead_from_prior = lead_by_class(reasons.prior, e);
  const bool even = std::ranges::adjacent_find(reasons.centre, std::not_equal_to()) == reasons.centre.end();
  const double centre = even ? 0 : lead_by_class(reasons.centre, e);
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    const ClassId label = known.classes[i];
    const double heat = reasons.labels[i];
    if (heat == 0) continue;
    const double lead = (label == e.label ? heat : label == e.second ? -heat : 0) - centre * heat;
    e.from_labels[at(label)] += heat;
    for (std::size_t c = 0; c < reasons.centre.size(); ++c) e.from_labels[c] -= reasons.centre[c] * heat;
    e.lead_from_labels += lead;
    e.pull_of_labels += std::abs(lead);
    e.labels.push_back({.node = known.nodes[i], .label = label, .heat = heat, .lead = lead});
  }
}

void add_fronts(const Session& session, const Reasons& reasons, Explanation& e) {
  const ConstMatrixView front = session.front();
  const auto neighbours = session.model().data.graph.neighbours(e.node);
  e.from_front.resize(at(front.cols));
  for (NodeId v = 0; v < reasons.fronts.rows(); ++v) {
    const auto weight = static_cast<double>(reasons.fronts(v, 0));
    if (weight == 0) continue;
    const auto row = front.row(v);
    for (std::size_t c = 0; c < row.size(); ++c) e.from_front[c] += weight * static_cast<double>(row[c]);
    const double lead = weight * lead_of(row, e);
    e.lead_from_front += lead;
    e.pull_of_front += std::abs(lead);
    e.fronts.push_back({.node = v,
                        .label = static_cast<ClassId>(std::ranges::max_element(row) - row.begin()),
                        .weight = weight,
                        .lead = lead,
                        .neighbour = std::ranges::binary_search(neighbours, v)});
  }
}

void add_attributes(const Matrix& shares, bool are_nodes, Explanation& e) {
  for (std::int64_t k = 0; k < shares.rows(); ++k) {
    const double lead = lead_of(shares.row(k), e);
    if (lead == 0) continue;
    e.lead_from_attributes += lead;
    e.attributes.push_back({.column = k, .is_node = are_nodes, .lead = lead});
  }
}

// Of the node's own front, if it counts, and of the strongest others.
void add_made(const FrontReasons& fronts, const Reasons& reasons, const ExplainOptions& options,
              Explanation& e) {
  std::vector<NodeId> nodes;
  if (reasons.fronts.rows() > 0 && reasons.fronts(e.node, 0) != 0) nodes.push_back(e.node);
  for (const FrontShare& share : e.fronts)
    if (share.node != e.node) nodes.push_back(share.node);
  nodes.resize(std::min(nodes.size(), options.made));
  for (NodeId v : nodes) {
    const auto weight = static_cast<double>(reasons.fronts(v, 0));
    const FrontParts parts = fronts.parts(v, e.label, e.second);
    FrontMade made{.node = v,
                   .lead = weight * parts.lead,
                   .from_nothing = weight * parts.at_zero,
                   .residual = std::abs(weight) * parts.residual};
    for (const FrontPart& part : parts.parts) {
      if (part.lead != 0)
        made.attributes.push_back(
            {.column = part.column, .is_node = fronts.columns_are_nodes(), .lead = weight * part.lead});
    }
    keep_strongest(made.attributes, options.attributes, &AttributeShare::lead);
    e.made.push_back(std::move(made));
  }
}

double largest_gap(const Explanation& e) {
  double most = 0;
  for (std::size_t c = 0; c < e.temperatures.size(); ++c)
    most = std::max(most, std::abs(e.from_labels[c] + e.from_front[c] + e.from_prior[c] - e.temperatures[c]));
  return most;
}

// One flow for all of them.
void add_curves(const Session& session, std::size_t times, std::span<Explanation> explanations) {
  const LabelledFlow& labelled = session.labelled_flow();
  const DirichletProblem problem = session.problem();
  NodeFlow& flow = session.flow();
  std::vector<double> grid;
  for (std::size_t i = 0; i < times; ++i)
    grid.push_back(flow.options().time * static_cast<double>(i) / static_cast<double>(times - 1));
  for (Explanation& e : explanations) e.times = grid;
  flow.curve(grid, starting_state(problem, flow.threads()), [&](double, Temperatures then) {
    labelled.finish(then, problem.known);
    for (Explanation& e : explanations) {
      for (ClassCurve& curve : e.curves)
        curve.temperatures.push_back(static_cast<double>(then.values(e.node, curve.label)));
    }
    return true;
  });
}

WithoutLabel without_label(NodeId v, const Session& session, NodeId u) {
  KnownLabels others = session.model().known;
  const auto place = std::ranges::find(others.nodes, v) - others.nodes.begin();
  others.nodes.erase(others.nodes.begin() + place);
  others.classes.erase(others.classes.begin() + place);
  const Answer then = session.answer_with(others);
  return {.node = v,
          .label = then.decisions.classes[at(u)],
          .margin = then.decisions.margin[at(u)],
          .confidence = then.decisions.confidence[at(u)]};
}

Explanation explain_by(const Reasons& reasons, const std::optional<FrontReasons>& fronts,
                       const Session& session, const Answer& answer, NodeId u,
                       const ExplainOptions& options) {
  Explanation e{.node = u};
  take_answer(answer, options.about, e);
  add_labels(session.model().known, reasons, e);
  add_fronts(session, reasons, e);
  e.residual = largest_gap(e);
  if (reasons.attributes.rows() == 0 && reasons.places.rows() == 0)
    e.lead_from_attributes = std::numeric_limits<double>::quiet_NaN();
  add_attributes(reasons.attributes, false, e);
  add_attributes(reasons.places, true, e);
  keep_strongest(e.labels, options.labels, &LabelShare::lead);
  keep_strongest(e.fronts, options.fronts, &FrontShare::lead);
  keep_strongest(e.attributes, options.attributes, &AttributeShare::lead);
  if (fronts) add_made(*fronts, reasons, options, e);
  for (std::size_t c = 0; c < reasons.own_front.size(); ++c)
    e.own_front.push_back(softmax_share(reasons.own_front, c));
  if (session.flows()) {
    for (ClassId c : ranked_classes(answer.temperatures.values.row(u), options.curves))
      e.curves.push_back({.label = c, .temperatures = {}});
  }
  return e;
}

}  // namespace

std::vector<Explanation> explain(Session& session, const Answer& answer, std::span<const NodeId> nodes,
                                 const ExplainOptions& options) {
  if (options.times < 2) fail("an explanation at {} times: there must be 2 or more", options.times);
  const Dataset& data = session.model().data;
  check(answer, data.nodes(), data.classes());
  for (NodeId u : nodes) check_node(data, u);
  if (options.about != kUnknown)
    require_ids("explain: class", std::span(&options.about, 1), 0, data.classes());
  const std::optional<FrontReasons> fronts =
      options.made > 0 ? FrontReasons::of(session.model()) : std::nullopt;
  std::vector<Explanation> result;
  for (std::size_t first = 0; first < nodes.size(); first += kNodesAtOnce) {
    const auto block = nodes.subspan(first, std::min(kNodesAtOnce, nodes.size() - first));
    const std::vector<Reasons> reasons = session.reasons(block);
    for (std::size_t i = 0; i < block.size(); ++i)
      result.push_back(explain_by(reasons[i], fronts, session, answer, block[i], options));
  }
  if (std::ranges::any_of(result, [](const Explanation& e) { return !e.curves.empty(); }))
    add_curves(session, options.times, result);
  for (Explanation& e : result) {  // last: each holds other labels
    for (std::size_t i = 0; i < std::min(options.without, e.labels.size()); ++i)
      e.without.push_back(without_label(e.labels[i].node, session, e.node));
  }
  return result;
}

Explanation explain(Session& session, const Answer& answer, NodeId u, const ExplainOptions& options) {
  return std::move(explain(session, answer, std::span(&u, 1), options).front());
}

}  // namespace heatfront
