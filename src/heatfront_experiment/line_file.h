// SPDX-License-Identifier: MIT
// A file that grows line by line and survives being killed: a line is whole or, if it was the last, cut off.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heatfront {

class LineFile {
 public:
  // Reads what is there and changes nothing. Without a path, or where there is no such file, there are no lines.
  explicit LineFile(std::filesystem::path path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::vector<std::string>& lines() const { return lines_; }  // that were there, without their ends
  const std::string& torn() const { return torn_; }                 // what came after the last of them

  // Before the first append(): cuts off what is torn. Refuses a file that another program has open, or that is not
  // as it was read. Nothing without a path.
  void open();

  // The system has the line when this returns: whatever ends the program then, it stays. Where there is no room for it,
  // nothing of it stays. Nothing without a path.
  void append(std::string_view line);

 private:
  struct Opened;

  std::filesystem::path path_;
  std::vector<std::string> lines_;
  std::string torn_;
  std::int64_t end_ = 0;  // of the whole lines, in bytes
  std::unique_ptr<Opened> opened_;
};

}  // namespace heatfront
