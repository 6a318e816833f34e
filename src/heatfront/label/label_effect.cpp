// SPDX-License-Identifier: MIT
#include "heatfront/label/label_effect.h"

#include <algorithm>
#include <map>

#include "heatfront/evaluate/metrics.h"

namespace heatfront {
namespace {

LabelCounts count_labels(const KnownLabels& before, const Session& session) {
  LabelCounts counts;
  std::map<NodeId, ClassId> earlier;
  for (std::size_t i = 0; i < before.nodes.size(); ++i) {
    earlier[before.nodes[i]] = before.classes[i];
    counts.removed += session.known_class(before.nodes[i]) == kUnknown;
  }
  for (NodeId u : session.model().known.nodes) {
    const auto found = earlier.find(u);
    if (found != earlier.end() && found->second == session.known_class(u)) continue;
    ++(found == earlier.end() ? counts.added : counts.changed);
    counts.set.push_back(u);
  }
  return counts;
}

}  // namespace

Scores scores(const Answer& answer, const Dataset& data, const Split& judges) {
  const Matrix& values = answer.temperatures.values;
  return {accuracy(values, data.labels, judges.validation), accuracy(values, data.labels, judges.test)};
}

BeforeLabels before_labels(Session& session) {
  return {session.model().data.class_names, session.model().known, session.solve()};
}

LabelEffect effect_of(const BeforeLabels& before, const Session& session, const Answer& answer) {
  const TrainedModel& model = session.model();
  LabelEffect effect{.names_before = before.class_names, .labels = count_labels(before.known, session)};
  for (const ChangedNode& node : changed(before.answer, answer))
    (node.told ? effect.told : effect.moved).push_back(node);
  for (NodeId u : effect.labels.set)
    effect.foreseen += before.answer.decisions.classes[at(u)] == session.known_class(u);
  const std::vector<NodeId>& trained = model.split().train;
  effect.trained = std::ssize(trained);
  for (NodeId u : model.known.nodes) {
    const bool same =
        std::ranges::binary_search(trained, u) && model.data.labels[at(u)] == session.known_class(u);
    effect.since_training += !same;
  }
  if (session.entry().loss != kNoLoss)
    effect.unlearned = std::ranges::count_if(
        trained, [&](NodeId u) { return session.known_class(u) != model.data.labels[at(u)]; });
  effect.judged_before = judged_by(model.split(), before.known.nodes);
  effect.judged = judged_by(model.split(), model.known.nodes);
  effect.judges = judged_by(effect.judged.split, before.known.nodes).split;
  effect.before = scores(before.answer, model.data, effect.judges);
  effect.after = scores(answer, model.data, effect.judges);
  effect.now = scores(answer, model.data, effect.judged.split);
  return effect;
}

bool is_outgrown(const LabelEffect& effect, const Session& session) {
  return session.entry().loss != kNoLoss && effect.since_training > 0 &&
         10 * effect.since_training >= effect.trained;
}

}  // namespace heatfront
