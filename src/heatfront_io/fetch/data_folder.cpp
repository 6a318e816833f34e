// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/data_folder.h"

#include <cstdlib>
#include <string>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

fs::path from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// A place made of files that fetch brings is there when all of them are; any other is one file.
bool is_there(const KnownDataset& dataset, std::string_view place, const fs::path& folder) {
  bool made_of_files = false;
  for (const RemoteFile& file : dataset.files) {
    const std::string local = local_path(dataset, file);
    if (!local.starts_with(place)) continue;
    made_of_files = true;
    if (!is_file(folder / local)) return false;
  }
  return made_of_files || is_file(folder / place);
}

}  // namespace

fs::path data_folder() {
  if (const fs::path own = from_environment("HEATFRONT_DATA"); !own.empty()) return own;
  // Its specification says to take no notice of a relative one.
  if (const fs::path cache = from_environment("XDG_CACHE_HOME"); cache.is_absolute())
    return cache / "heatfront";
  if (const fs::path home = from_environment("HOME"); !home.empty()) return home / ".cache" / "heatfront";
  return {};
}

fs::path find_dataset(const KnownDataset& dataset, const fs::path& folder) {
  if (folder.empty()) return {};
  for (const std::string& place : dataset.places) {
    if (is_there(dataset, place, folder)) return folder / place;
  }
  return {};
}

fs::path find_dataset(std::string_view name, const fs::path& folder) {
  const KnownDataset* known = find_known(name);
  return known ? find_dataset(*known, folder) : fs::path();
}

void fail_by_hand(const KnownDataset& dataset, const fs::path& folder) {
  fail(
      "{}: cannot be fetched: {} has it only as {}, which heatfront does not read; by hand: convert it to {}",
      dataset.name, dataset.home, dataset.only_as, (folder / dataset.places.front()).string());
}

}  // namespace heatfront
