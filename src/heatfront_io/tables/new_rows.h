// SPDX-License-Identifier: MIT
// Rows of features for nodes that a data set does not have yet, read as its own were: the same columns, categories, days and
// fillings. What they make can stand below the features that are there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/data/dataset.h"
#include "heatfront_io/tables/column_choice.h"

namespace heatfront {

struct NewRows {
  std::vector<std::string> nodes;  // in order of appearance
  Features features;  // a row for each, as wide as those of the data set, and dense or sparse as they are
  std::vector<std::string> notes;
};

// Columns are found by name, in any order; without a header by place. A column that is missing is an Error, one that is new
// is left out with a note; a category that is new goes to the rare ones, where they have a column.
NewRows read_new_rows(const std::filesystem::path& table, const Dataset& like,
                      const ColumnChoice& choice = {});

// The same for nodes that no table has a row for: all of it is filled in.
Features features_without_rows(const Dataset& like, NodeId nodes);

}  // namespace heatfront
