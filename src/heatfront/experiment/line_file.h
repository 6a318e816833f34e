// SPDX-License-Identifier: MIT
// A file that grows line by line and survives being killed: a line is whole or, if it was the last, cut off.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace heatfront {

class LineFile {
 public:
  // Reads what is there and changes nothing. Without a path, or where there is no such file, there are no lines.
  explicit LineFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  const std::vector<std::string>& lines() const { return lines_; }  // that were there, without their ends
  const std::string& torn() const { return torn_; }                 // what came after the last of them

  // Before the first append(): cuts off what is torn. Nothing without a path.
  void open();

  // On disk before this returns. Nothing without a path.
  void append(std::string_view line);

 private:
  std::filesystem::path path_;
  std::vector<std::string> lines_;
  std::string torn_;
  std::ofstream file_;
};

}  // namespace heatfront
