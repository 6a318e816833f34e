// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/planetoid_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 8> kParts = {"x",    "y",    "tx",    "ty",
                                                    "allx", "ally", "graph", "test.index"};

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

// "ind.NAME.{x,y,…}", for error lines.
std::string all_files(std::string_view name) { return fmt::format("ind.{}.{{{}}}", name, join(kParts, ",")); }

// NAME of "ind.NAME.PART".
std::optional<std::string> name_in(std::string_view file) {
  if (!file.starts_with("ind.")) return {};
  file.remove_prefix(4);
  for (const std::string_view part : kParts) {
    if (!file.ends_with(part)) continue;
    const std::string_view name = file.substr(0, file.size() - part.size());
    if (name.size() >= 2 && name.ends_with('.')) return std::string(name.substr(0, name.size() - 1));
  }
  return {};
}

std::set<std::string> names_in_folder(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (auto name = name_in(entry->path().filename().string())) names.insert(std::move(*name));
  }
  return names;
}

// What a path means that is no folder of data sets.
std::optional<PlanetoidFiles> files_named(const fs::path& path) {
  const std::string last = path.filename().string();
  if (is_there(path)) {
    const auto name = name_in(last);
    return name ? std::optional(PlanetoidFiles{path.parent_path(), *name}) : std::nullopt;
  }
  const std::string_view name = std::string_view(last).substr(last.starts_with("ind.") ? 4 : 0);
  const PlanetoidFiles files{path.parent_path(), std::string(name)};
  return files.any() ? std::optional(files) : std::nullopt;
}

}  // namespace

fs::path PlanetoidFiles::operator/(std::string_view part) const {
  return folder / fmt::format("ind.{}.{}", name, part);
}

bool PlanetoidFiles::any() const {
  return std::ranges::any_of(kParts, [&](std::string_view part) { return is_there(*this / part); });
}

void PlanetoidFiles::require_all() const {
  for (const std::string_view part : kParts) {
    if (is_there(*this / part)) continue;
    fail("{}: no such file; a Planetoid data set is all of {}", (*this / part).string(), all_files(name));
  }
}

bool has_planetoid_files(const fs::path& path) { return files_named(path) || !names_in_folder(path).empty(); }

PlanetoidFiles find_planetoid_files(const fs::path& path) {
  if (auto files = files_named(path)) return *files;
  const std::set<std::string> names = names_in_folder(path);
  if (names.empty())
    fail("{}: no Planetoid files here; they are called {}", path.string(), all_files("NAME"));
  if (names.size() > 1) {
    fail("{}: the folder has the data sets {}; say which, as in {}", path.string(), join(names, ", "),
         (path / *names.begin()).string());
  }
  return {path, *names.begin()};
}

}  // namespace heatfront
