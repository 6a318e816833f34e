// SPDX-License-Identifier: MIT
// Tables as people export them, made on the spot for trying things out: categories, dates, gaps, decimal commas, repeated rows.
// The same bytes for the same seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/data/targets.h"

namespace heatfront {

struct ExampleFile {
  std::string name;  // within the folder, may be in a folder of its own
  std::string text;
};

struct ExampleTables {
  std::string_view name;
  std::string_view what;
  std::vector<ExampleFile> (*make)(std::uint64_t seed);
  LabelKind labels = LabelKind::classes;
  std::string_view data = {};  // the folder within it that trains; empty: it itself
};

std::span<const ExampleTables> example_tables();

const ExampleTables& find_example(std::string_view name);  // Error lists them

// Into a new folder, whole or not at all; gives the names of the files.
std::vector<std::string> write_example(std::string_view name, std::uint64_t seed,
                                       const std::filesystem::path& folder);

}  // namespace heatfront
