// SPDX-License-Identifier: MIT
// What drawings share: ranges, ticks, colours, and how an SVG begins.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace heatfront {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value);  // unless it is not finite
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

// 1, 2 or 5 times a power of ten apart, about `count` of them.
std::vector<double> ticks(const Range& range, double count);

// 1, 2 and 5 times the powers of ten, where the range is one of decimal logarithms; as such. Of a range that holds fewer than
// two of these the ticks are evenly apart.
std::vector<double> logarithmic_ticks(const Range& range);

// Told apart by people who see few colours, too (Okabe and Ito).
inline constexpr std::array<std::string_view, 6> kChartColours = {"#0072B2", "#D55E00", "#009E73",
                                                                  "#CC79A7", "#E69F00", "#56B4E9"};

std::string escaped(std::string_view text);  // printable, for SVG and HTML
std::string svg_begin(double width, double height, double title_left, std::string_view title);

}  // namespace heatfront
