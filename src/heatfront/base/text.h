// SPDX-License-Identifier: MIT
// Small things done to texts. For source files only: public headers do without fmt.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heatfront {

// join(std::array{1, 2, 3}, ", ") is "1, 2, 3".
template <class List>
std::string join(const List& list, std::string_view between) {
  std::string text;
  bool first = true;
  for (const auto& item : list) {
    if (!first) text += between;
    first = false;
    text += fmt::format("{}", item);
  }
  return text;
}

// 1234567 → "1,234,567".
inline std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t left = digits.size(); const char c : digits) {
    text += c;
    if (--left > 0 && left % 3 == 0 && c != '-') text += ',';
  }
  return text;
}

// "1 run", "2 runs", "1,200 runs". `rest` follows the noun: counted(1, "loop", " removed").
inline std::string counted(std::int64_t count, std::string_view what, std::string_view rest = "") {
  return fmt::format("{} {}{}{}", grouped(count), what, count == 1 ? "" : "s", rest);
}

// Without blanks at its ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// The parts between the marks, trimmed, without empty ones.
inline std::vector<std::string> split_at(std::string_view text, char mark) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != std::string_view::npos;
       text.remove_prefix(std::min(end + 1, text.size()))) {
    end = text.find(mark);
    if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
  }
  return parts;
}

}  // namespace heatfront
