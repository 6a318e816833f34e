// SPDX-License-Identifier: MIT
// Which columns of tables are what, by the names in their headers, where the usual names would not find them.
#pragma once

#include <string>
#include <vector>

namespace heatfront {

struct ColumnChoice {
  std::string source, target, weight, node, label;  // empty: by the usual names, or by place
  std::vector<std::string> ignored;                 // read as if they were not there
};

}  // namespace heatfront
