// SPDX-License-Identifier: MIT
// What values a setting may take in a search, as a line of text:
//
//     learning_rate = log 1e-3 1e-1        low · (high/low)^u, u even in [0, 1)
//     dropout = uniform 0 0.9              low + (high − low) u
//     rounds = integer 2 20                a whole number of low … high
//     hidden = choice 16 | 32 | 64,32      one of these
//     optimiser = adam                     this one: a value that begins with none of the words above
//
// Drawn numbers are rounded to four digits, so that what was tried is what is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heatfront {

enum class RangeKind { fixed, choice, integer, uniform, log };

struct SearchRange {
  std::string name;  // of the setting
  RangeKind kind = RangeKind::fixed;
  double low = 0, high = 0;
  std::vector<std::string> values;  // of choice and fixed
};

// What is wrong is an Error that begins with `where`.
SearchRange parse_range(std::string_view line, const std::string& where);

// The line that reads back to the same range.
std::string text_of(const SearchRange& range);

// The value at u in [0, 1).
std::string draw(const SearchRange& range, double u);

// The same within an eighth of the range to either side of `centre`, a value that draw() gave; whole numbers at
// least 1 to either side. Three times in four a choice stays.
std::string draw_near(const SearchRange& range, const std::string& centre, double u);

}  // namespace heatfront
