// SPDX-License-Identifier: MIT
// Tables as files: rows in, a whole CSV file at its place out.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "heatfront/base/output_file.h"

namespace heatfront {

// Written in large pieces; appears at commit().
class CsvFile {
 public:
  CsvFile(const std::filesystem::path& path, std::string_view header) : file_(path), text_(header) {
    text_ += '\n';
  }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    if (text_.size() > kPiece) flush();
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 20;

  void flush() {
    file_.write(text_);
    text_.clear();
  }

  OutputFile file_;
  std::string text_;
};

// A name as a cell: in quotes where a reader would take it for something else.
std::string csv_cell(const std::string& name);

}  // namespace heatfront
