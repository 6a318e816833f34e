// SPDX-License-Identifier: MIT
#include "heatfront/label/growth.h"

#include <algorithm>

#include "heatfront/models/targets/target_grow.h"

namespace heatfront {
namespace {

Answer first_nodes(const Answer& answer, NodeId nodes) {
  Answer result;
  const Matrix& values = answer.temperatures.values;
  result.temperatures.values = Matrix(nodes, values.cols());
  for (NodeId u = 0; u < nodes; ++u)
    std::ranges::copy(values.row(u), result.temperatures.values.row(u).begin());
  result.temperatures.column_errors = answer.temperatures.column_errors;
  result.decisions = answer.decisions;
  result.decisions.classes.resize(at(nodes));
  result.decisions.confidence.resize(at(nodes));
  result.decisions.margin.resize(at(nodes));
  result.decisions.status.resize(at(nodes));
  return result;
}

}  // namespace

GrownSession grow(Session& session, const NewNodes& added, const KnownLabels& labels, std::int64_t time) {
  const TrainedModel& model = session.model();
  const Answer before = session.solve();
  GrownSession result;
  result.session = std::make_unique<Session>(grown(model, added, session.threads()), session.threads());
  const Dataset& data = result.session->model().data;
  check(labels, data.nodes(), data.classes());
  result.session->set_time(time);
  result.session->begin_batch();
  for (std::size_t i = 0; i < labels.nodes.size(); ++i)
    result.session->set(labels.nodes[i], labels.classes[i]);
  result.session->close_batch();
  result.answer = result.session->solve();
  result.growth = {.old_nodes = model.data.nodes(),
                   .new_nodes = added.nodes,
                   .new_edges = data.graph.edges() - model.data.graph.edges(),
                   .moved = changed(before, first_nodes(result.answer, model.data.nodes()))};
  return result;
}

GrownTargets grow(TargetSession& session, const NewNodes& added, const Targets& labels, std::int64_t time) {
  const TargetModel& model = session.model();
  const TargetAnswer before = session.answer();
  GrownTargets result{.old_nodes = model.data.nodes()};
  result.session = std::make_unique<TargetSession>(grown(model, added, session.threads()), session.threads());
  result.session->set_time(time);
  result.session->begin_batch();
  for (std::size_t i = 0; i < labels.size(); ++i) result.session->set(labels.nodes[i], labels.row(i));
  result.session->close_batch();
  result.answer = result.session->answer();
  result.new_edges = result.session->model().data.graph.edges() - model.data.graph.edges();
  result.moved = moved_targets(model, before, result.answer);
  return result;
}

}  // namespace heatfront
