// SPDX-License-Identifier: MIT
// Nodes that come after training, with their edges and features. Nothing is trained: what was learned gives the new nodes their front, and the
// graph that has grown does the rest.
//
//     features       scaled by the means, deviations and counts of the nodes that trained (Dataset::added); of a neighbourhood, who of those
//                    a node is joined to
//     edges          weigh what they are said to weigh; where weights were learned, times the mean of what the old edges' were multiplied by
//     linear-front   an exact refit on the grown graph with the fronts, κ and β that were chosen
//     others         their parameters on the grown data
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/graph/build.h"
#include "heatfront/models/trained_model.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

struct NewNodes {
  NodeId nodes = 0;
  std::vector<std::string> names;  // one per new node; empty: called by their number
  ArcList edges;  // old nodes by their number, new ones from the number of old nodes on; `nodes` counts both
  Features features;  // one row per new node, in the model's columns; none where the model has none
};

// The data with these nodes as its last ones, their labels unknown. An edge that it has already stays as it is. Error where what is given
// does not fit.
Dataset grown(const Dataset& data, const NewNodes& added, Threads& threads);

// The model with these nodes as its last ones. Error where what is given does not fit the model, and where the model does
// not hold the features that it learned from.
TrainedModel grown(const TrainedModel& model, const NewNodes& added, Threads& threads);

// The parameters that a model was trained to, as this layout has them; none where it has others, as with another number of classes.
std::optional<ParameterBlock> learned_parameters(const TrainedModel& model, const ParameterLayout& layout);

// For the table of models, the front on the model's data as it is now: of what learned parameters, and of what has none.
Matrix learned_front(const TrainedModel& model, Threads& threads);
Matrix no_front(const TrainedModel& model, Threads& threads);

}  // namespace heatfront
