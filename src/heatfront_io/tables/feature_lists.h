// SPDX-License-Identifier: MIT
// Features in JSON, a list a node: {"0": [3, 17, 2048], …} names the features that are 1, the others are 0;
// lists with a fraction anywhere are the values of features themselves, all of the same length.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/data/dataset.h"
#include "heatfront_io/tables/id_table.h"

namespace heatfront {

struct FeatureLists {
  std::string file;
  std::vector<std::string> nodes;  // as called there
  std::vector<std::size_t> ends;   // of the list of each
  std::vector<double> numbers;     // of all lists
  bool whole = true;               // all numbers are integers
};

FeatureLists read_feature_lists(const std::filesystem::path& path);

// Where lists name features, a node without one has zeros; where they are values, every node needs one.
Features features_of(const FeatureLists& lists, const IdTable& nodes);

}  // namespace heatfront
