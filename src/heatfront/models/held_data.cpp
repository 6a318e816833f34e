// SPDX-License-Identifier: MIT
#include "heatfront/models/held_data.h"

#include <algorithm>
#include <map>

#include "heatfront/base/fail.h"
#include "heatfront/models/models.h"

namespace heatfront {

std::vector<HeldLabel> held_labels(const TrainedModel& model) {
  std::map<NodeId, HeldLabel> held;
  for (std::size_t i = 0; i < model.known.nodes.size(); ++i)
    held[model.known.nodes[i]] = {.node = model.known.nodes[i], .label = model.known.classes[i]};
  for (const LabelChange& change : model.log) {
    const auto found = held.find(change.node);
    if (found == held.end() || change.after != found->second.label) continue;
    found->second.from = change.from;
    found->second.batch = change.batch;
    found->second.time = change.time;
  }
  std::vector<HeldLabel> result;
  for (const auto& [node, label] : held) result.push_back(label);
  return result;
}

HeldChanges changes_since_training(const Dataset& data, const KnownLabels& known) {
  HeldChanges changes;
  if (!data.split) return changes;
  const std::vector<NodeId>& trained = data.split->train;
  std::int64_t kept = 0;
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    const bool was_there = std::ranges::binary_search(trained, known.nodes[i]);
    kept += was_there;
    changes.added += !was_there;
    changes.changed += was_there && data.labels[at(known.nodes[i])] != known.classes[i];
  }
  changes.removed = std::ssize(trained) - kept;
  return changes;
}

Dataset with_held_labels(Dataset data, const KnownLabels& known) {
  if (!data.split) fail("{} has no split that says which labels train", data.name);
  for (NodeId u : data.split->train) data.labels[at(u)] = kUnknown;
  for (std::size_t i = 0; i < known.nodes.size(); ++i) data.labels[at(known.nodes[i])] = known.classes[i];
  data.split = judged_by(*data.split, known.nodes).split;
  data.split->train = known.nodes;
  std::ranges::sort(data.split->train);
  data.split->name = "labels held";
  return data;
}

void require_features(const TrainedModel& model) {
  if (!find_model(model.model).uses.features ||
      fingerprint(model.data).features == model.fingerprint.features)
    return;
  fail(
      "{}: the model does not hold the features that it was trained on, as those of older versions do not; "
      "train anew with `heatfront train DATA`, with all labels in the data",
      model.data.name);
}

}  // namespace heatfront
