// SPDX-License-Identifier: MIT
// A second model of the same graph, to be seen beside the one that is explored. It stays as its file has it: labels that are set on the page
// are not told to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heatfront/label/session.h"

namespace heatfront::explore {

struct Beside {
  std::string name, model;  // of its file, and of the table of models
  Decisions decisions;      // in the classes of the model that is explored
  KnownLabels known;        // likewise
};

// Error where its nodes are others, or where it has a class that `data` lacks.
Beside beside_of(TrainedModel model, const std::string& name, const Dataset& data, Threads& threads);

struct Comparison {
  std::vector<NodeId> differ;   // nodes to which the two give another class
  std::int64_t judges = 0;      // nodes held back whose label neither knows
  double here = 0, beside = 0;  // of them, the share that each has right; NaN: there are none
  std::int64_t right_here = 0, right_beside = 0;  // that only one has right
};

Comparison compare(const Session& session, const Answer& answer, const Beside& beside);

}  // namespace heatfront::explore
