// SPDX-License-Identifier: MIT
// A piece of a file for an error line: in quotes, short, without control characters.
#pragma once

#include <string>
#include <string_view>

namespace heatfront {

inline std::string in_quotes(std::string_view piece) {
  constexpr std::size_t kLongest = 60;
  std::string result = "'";
  for (const char c : piece.substr(0, kLongest)) result += c >= ' ' && c < '\x7f' ? c : '?';
  return result + (piece.size() > kLongest ? "…'" : "'");
}

}  // namespace heatfront
