// SPDX-License-Identifier: MIT
#include "heatfront_io/files/file_name.h"

#include <algorithm>
#include <system_error>

namespace heatfront {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> entries_of(const fs::path& folder, bool folders) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (is_folder(entry->path()) == folders) entries.push_back(entry->path());
  }
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

fs::path without_gz(const fs::path& path) {
  return path.extension() == ".gz" ? path.parent_path() / path.stem() : path;
}

std::string extension_of(const fs::path& path) { return without_gz(path).extension().string(); }

std::string stem_of(const fs::path& path) {
  if (!is_folder(path)) return without_gz(path).stem().string();
  const fs::path folder = fs::absolute(path).lexically_normal();
  return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

bool is_table_name(const fs::path& path) {
  const std::string extension = extension_of(path);
  return extension == ".csv" || extension == ".tsv" || extension == ".txt";
}

bool is_spreadsheet(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".xlsx" || extension == ".xls" || extension == ".ods";
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<fs::path> files_of(const fs::path& folder) { return entries_of(folder, false); }
std::vector<fs::path> folders_of(const fs::path& folder) { return entries_of(folder, true); }

}  // namespace heatfront
