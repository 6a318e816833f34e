// SPDX-License-Identifier: MIT
// Tables of a data set, as texts, and what read_csv() makes of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront::test {

inline Dataset csv_in(const std::filesystem::path& path, const ReadOptions& options = {}) {
  Threads threads(2);
  return read_csv(path, options, threads);
}

struct CsvFiles {
  std::string edges, features, labels, classes, split;
};

// A folder d with the files that are not empty.
class CsvFolder {
 public:
  explicit CsvFolder(const CsvFiles& files) {
    const auto put = [&](std::string_view name, std::string_view text) {
      if (!text.empty()) folder_.write("d/" + std::string(name), text);
    };
    put("edges.csv", files.edges);
    put("features.csv", files.features);
    put("labels.csv", files.labels);
    put("classes.csv", files.classes);
    put("split.csv", files.split);
  }
  std::filesystem::path path() const { return folder_ / "d"; }

 private:
  TemporaryFolder folder_;
};

inline Dataset csv_in(const CsvFiles& files) { return csv_in(CsvFolder(files).path()); }

// Without the path before the names of files.
inline std::string csv_error(const CsvFiles& files, const ReadOptions& options = {}) {
  const CsvFolder folder(files);
  std::string text = error_text([&] { csv_in(folder.path(), options); });
  const std::string path = folder.path().string() + "/";
  for (std::size_t at = text.find(path); at != text.npos; at = text.find(path)) text.erase(at, path.size());
  return text;
}

inline std::vector<std::string> notes_of(const CsvFiles& files) {
  const CsvFolder folder(files);
  std::vector<std::string> notes = csv_in(folder.path()).notes;
  for (std::string& note : notes) note = note.substr(folder.path().string().size() + 1);
  return notes;
}

}  // namespace heatfront::test
