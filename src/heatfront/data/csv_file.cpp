// SPDX-License-Identifier: MIT
#include "heatfront/data/csv_file.h"

namespace heatfront {

std::string csv_cell(const std::string& name) {
  const bool plain =
      name.find_first_of(",;\"\t\r\n") == name.npos && name.find_first_of("#% ") != 0 && !name.ends_with(' ');
  if (plain) return name;
  std::string result = "\"";
  for (const char c : name) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

}  // namespace heatfront
