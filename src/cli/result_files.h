// SPDX-License-Identifier: MIT
// What many runs come to, three times in a folder, beside the record of the runs: to read, to compute with, and as a page.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heatfront::cli {

class ResultFiles {
 public:
  // Before the work begins: Error where a file of another kind is in the place of one of them, or two of them are one.
  ResultFiles(const std::filesystem::path& folder, std::string_view markdown, std::string_view csv,
              std::string_view page);

  void write(const std::string& markdown, const std::string& csv, const std::string& page) const;

  const std::filesystem::path& record() const { return record_; }  // of the runs, which another one writes

  std::string names() const;  // "table.md, table.csv, report.html"

 private:
  std::filesystem::path markdown_, csv_, page_, record_;
};

}  // namespace heatfront::cli
