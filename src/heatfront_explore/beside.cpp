// SPDX-License-Identifier: MIT
#include "heatfront_explore/beside.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/models/held_data.h"

namespace heatfront::explore {
namespace {

void require_same_nodes(const Dataset& other, const std::string& name, const Dataset& data) {
  if (other.nodes() != data.nodes())
    fail("{}: {} nodes, and {} has {}; two models are seen side by side on one graph", name, other.nodes(),
         data.name, data.nodes());
  for (NodeId u = 0; u < data.nodes(); ++u) {
    if (other.node_name(u) != data.node_name(u))
      fail("{}: node {} is called {}, in {} {}; two models are seen side by side on one graph", name, u,
           other.node_name(u), data.name, data.node_name(u));
  }
}

// The classes of `other`, by their number here.
std::vector<ClassId> classes_here(const Dataset& other, const std::string& name, const Dataset& data) {
  std::vector<ClassId> here;
  for (const std::string& label : other.class_names) {
    const auto found = std::ranges::find(data.class_names, label);
    if (found == data.class_names.end())
      fail("{}: has a class '{}', which {} has not; name the two the other way round", name, label,
           data.name);
    here.push_back(static_cast<ClassId>(found - data.class_names.begin()));
  }
  return here;
}

}  // namespace

Beside beside_of(TrainedModel model, const std::string& name, const Dataset& data, Threads& threads) {
  require_same_nodes(model.data, name, data);
  const std::vector<ClassId> here = classes_here(model.data, name, data);
  Session session(std::move(model), threads);
  Beside result{.name = name,
                .model = std::string(session.entry().name),
                .decisions = session.solve().decisions,
                .known = session.model().known};
  for (std::vector<ClassId>* classes : {&result.decisions.classes, &result.known.classes}) {
    for (ClassId& label : *classes) label = here[at(label)];
  }
  return result;
}

Comparison compare(const Session& session, const Answer& answer, const Beside& beside) {
  const TrainedModel& model = session.model();
  const std::vector<ClassId>& ours = answer.decisions.classes;
  const std::vector<ClassId>& theirs = beside.decisions.classes;
  Comparison result;
  for (std::size_t u = 0; u < ours.size(); ++u) {
    if (ours[u] != theirs[u]) result.differ.push_back(static_cast<NodeId>(u));
  }
  const Split held_back = judged_by(model.split(), model.known.nodes).split;
  const Split judges = judged_by(held_back, beside.known.nodes).split;
  std::int64_t here = 0, there = 0;
  for (const NodeId u : judges.test.empty() ? judges.validation : judges.test) {
    const ClassId label = model.data.labels[at(u)];
    if (label == kUnknown) continue;
    const bool right_here = ours[at(u)] == label, right_there = theirs[at(u)] == label;
    ++result.judges;
    here += right_here;
    there += right_there;
    result.right_here += right_here && !right_there;
    result.right_beside += right_there && !right_here;
  }
  result.here = static_cast<double>(here) / static_cast<double>(result.judges);
  result.beside = static_cast<double>(there) / static_cast<double>(result.judges);
  return result;
}

}  // namespace heatfront::explore
