// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/csv_file.h"

#include <cmath>

namespace heatfront {
namespace {

constexpr std::size_t kPiece = 1 << 20;  // written at once

}  // namespace

void CsvFile::add_formatted(fmt::string_view format, fmt::format_args args) {
  text_ += fmt::vformat(format, args);
  if (text_.size() > kPiece) flush();
}

void CsvFile::flush() {
  file_.write(text_);
  text_.clear();
}

std::string csv_cell(const std::string& name) {
  const bool plain =
      name.find_first_of(",;\"\t\r\n") == name.npos && name.find_first_of("#% ") != 0 && !name.ends_with(' ');
  if (plain) return name;
  std::string result = "\"";
  for (const char c : name) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

std::string csv_number(double value, int digits) {
  if (std::isnan(value)) return {};
  return digits > 0 ? fmt::format("{:.{}g}", value, digits) : fmt::format("{}", value);
}

}  // namespace heatfront
