// SPDX-License-Identifier: MIT
// Curves over a common axis, as an SVG file of its own and as text for a terminal.
#pragma once

#include <string>
#include <vector>

namespace heatfront {

struct Curve {
  std::string name;
  std::vector<double> values;  // one for each x; NaN leaves a gap
};

struct Chart {
  std::string title;
  std::string x_name, y_name;
  bool logarithmic_x = false;
  bool percent = false;  // the curves are shares in per cent: nothing is shown below 0 or above 100
  std::vector<double> x;
  std::vector<Curve> curves;
  double mark = 0;        // x of a vertical line
  std::string mark_name;  // empty: no line
};

std::string svg_of(const Chart& chart);

// The first curves, `rows` lines high; where they meet, the earlier one is seen.
std::string text_of(const Chart& chart, int columns, int rows, std::size_t curves = 1);

}  // namespace heatfront
