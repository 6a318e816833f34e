// SPDX-License-Identifier: MIT
// What `label` says of labels that were changed: which they are, which nodes moved, how the accuracy changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/model_argument.h"
#include "heatfront/label/session.h"

namespace heatfront::cli {

// How things were before the labels changed.
struct BeforeLabels {
  std::vector<std::string> class_names;
  KnownLabels known;
  Answer answer;
};

struct LabelCounts {
  std::int64_t added = 0, changed = 0, removed = 0;
  std::vector<NodeId> set;  // those added and changed
};

// What the changed labels did.
struct LabelEffect {
  std::vector<std::string> names_before;  // of the classes
  LabelCounts labels;
  std::vector<ChangedNode> moved, told;  // by the flow, and because their own label is another now
  Judged judged_before, judged;
  Split judges;  // nodes that are known neither before nor after
  Scores before, after;
  Scores now;  // by all nodes that are not known after
};

LabelEffect effect_of(const BeforeLabels& before, const Session& session, const Answer& answer);
std::string effect_text(const LabelEffect& effect, const Session& session);
void add_effect(const LabelEffect& effect, const Dataset& data, Json& object);

}  // namespace heatfront::cli
