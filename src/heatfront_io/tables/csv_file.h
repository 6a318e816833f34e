// SPDX-License-Identifier: MIT
// Tables as files: rows in, a whole CSV file at its place out.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "heatfront_io/files/output_file.h"

namespace heatfront {

// Written in large pieces; appears at commit().
class CsvFile {
 public:
  CsvFile(const std::filesystem::path& path, std::string_view header) : file_(path), text_(header) {
    text_ += '\n';
  }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    add_formatted(format, fmt::make_format_args(args...));
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  void add_formatted(fmt::string_view format, fmt::format_args args);
  void flush();

  OutputFile file_;
  std::string text_;
};

// A name as a cell: in quotes where a reader would take it for something else.
std::string csv_cell(const std::string& name);

// A number as a cell, to so many digits or, with 0, to as many as it takes; nothing where it is NaN.
std::string csv_number(double value, int digits = 0);

}  // namespace heatfront
