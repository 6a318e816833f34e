// SPDX-License-Identifier: MIT
// Nodes that come after training, as a folder of tables: edges.csv with their edges to old and new nodes, features.csv with a row for each of
// them, and labels.csv with labels that are known already, if there are any.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/models/grow.h"

namespace heatfront {

struct NewNodesFile {
  NewNodes nodes;
  KnownLabels labels;              // of new nodes, by their number in the grown model
  Targets targets;                 // the same where labels are values, or several per node
  std::vector<std::string> notes;  // a sentence each
};

// Names that the model has are its nodes, all others are new. Columns of features go by their names, so all of the model's must be there and no
// others; where the model's have none, by their place.
NewNodesFile read_new_nodes(const std::filesystem::path& folder, const Dataset& model);

}  // namespace heatfront
