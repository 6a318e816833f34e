// SPDX-License-Identifier: MIT
// Rows of dots with error bars, one colour a series: what came out beside what was expected.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace heatfront {

struct Dot {
  double value = std::numeric_limits<double>::quiet_NaN();      // NaN: none
  double deviation = std::numeric_limits<double>::quiet_NaN();  // NaN: no bar
};

struct DotRow {
  std::string name;
  std::vector<Dot> dots;  // one a series
};

struct DotPlot {
  std::string title, x_name;
  bool logarithmic = false;
  std::vector<std::string> series;
  std::vector<DotRow> rows;
};

std::string svg_of(const DotPlot& plot);

}  // namespace heatfront
