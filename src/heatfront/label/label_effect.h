// SPDX-License-Identifier: MIT
// What changed labels did: which they are, which nodes moved, how the accuracy changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heatfront/data/split.h"
#include "heatfront/label/session.h"

namespace heatfront {

struct Scores {
  double validation, test;  // NaN where there is nothing to judge by
};
Scores scores(const Answer& answer, const Dataset& data, const Split& judges);

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

struct LabelEffect {
  std::vector<std::string> names_before;  // of the classes
  LabelCounts labels;
  std::vector<ChangedNode> moved, told;  // by the flow, and because their own label is another now
  std::int64_t foreseen = 0;             // new labels that were what the model said before it was told
  std::int64_t since_training = 0;       // labels held now that training did not have
  std::int64_t trained = 0;              // labels that it had
  std::int64_t unlearned = 0;  // of these, changed or taken away now: training knows nothing of that
  Judged judged_before, judged;
  Split judges;  // nodes that are known neither before nor after
  Scores before, after;
  Scores now;  // by all nodes that are not known after
};

// Has the model learned, and so many labels come since, that training again would be worth while? In models that do not learn, labels count fully
// at once.
bool is_outgrown(const LabelEffect& effect, const Session& session);

BeforeLabels before_labels(Session& session);
LabelEffect effect_of(const BeforeLabels& before, const Session& session, const Answer& answer);

}  // namespace heatfront
