// SPDX-License-Identifier: MIT
// Small things done to texts. For source files only: public headers do without fmt.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

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

// Without blanks at its ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace heatfront
