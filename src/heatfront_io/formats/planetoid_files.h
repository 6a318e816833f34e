// SPDX-License-Identifier: MIT
// Where the eight files of a Planetoid data set are: FOLDER/ind.NAME.PART.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heatfront {

struct PlanetoidFiles {
  std::filesystem::path folder;
  std::string name;

  std::filesystem::path operator/(std::string_view part) const;
  bool any() const;          // whether one of them is there
  void require_all() const;  // throws Error that names the one that is missing
};

// A path may be one of the files, FOLDER/ind.NAME, FOLDER/NAME, or a folder.
bool has_planetoid_files(const std::filesystem::path& path);

// Throws Error where there are none, and where a folder has several data sets.
PlanetoidFiles find_planetoid_files(const std::filesystem::path& path);

}  // namespace heatfront
