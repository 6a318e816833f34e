// SPDX-License-Identifier: MIT
// Nodes that come after training of values or many labels (models/grow.h has the rules): the front is fitted again, exactly, on the graph
// that has grown, with the fronts, κ and time of flow that were chosen.
#pragma once

#include "heatfront/models/grow.h"
#include "heatfront/models/targets/target_model.h"

namespace heatfront {

TargetModel grown(const TargetModel& model, const NewNodes& added, Threads& threads);

}  // namespace heatfront
