// SPDX-License-Identifier: MIT
// Labels of some nodes from a file of its own, by the names of a data set that is open already.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "heatfront/data/dataset.h"

namespace heatfront {

struct NodeLabel {
  NodeId node;
  ClassId label;
};

// `node,label` as in labels.csv; node and class by name, where there are none by number. Rows that say
// nothing (an empty label, ? or -1) are left out. `advice` ends the message about a class that there is not.
std::vector<NodeLabel> read_label_file(const std::filesystem::path& path, const Dataset& dataset,
                                       std::string_view advice = {});

// `class,share`: one number for each class, by name; 0 for those that are not listed. They are scaled to
// sum 1.
std::vector<double> read_prior_file(const std::filesystem::path& path, const Dataset& dataset);

}  // namespace heatfront
