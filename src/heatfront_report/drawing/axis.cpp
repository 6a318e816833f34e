// SPDX-License-Identifier: MIT
#include "heatfront_report/drawing/axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

// 1, 2 or 5 times a power of ten, so that about `count` of them fit.
double tick_distance(double width, double count) {
  const double rough = width / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double step : {1.0, 2.0, 5.0}) {
    if (step * power >= rough) return step * power;
  }
  return 10 * power;
}

}  // namespace

void Range::add(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

std::vector<double> ticks(const Range& range, double count) {
  std::vector<double> result;
  const double distance = tick_distance(range.high - range.low, count);
  for (double t = std::ceil(range.low / distance) * distance; t <= range.high + distance * 1e-9;
       t += distance) {
    result.push_back(std::abs(t) < distance * 1e-9 ? 0 : t);
  }
  return result;
}

std::vector<double> logarithmic_ticks(const Range& range) {
  std::vector<double> result;
  for (double power = std::floor(range.low); power <= range.high; ++power) {
    for (double step : {1.0, 2.0, 5.0}) {
      const double x = std::log10(step) + power;
      if (x >= range.low - 1e-9 && x <= range.high + 1e-9) result.push_back(x);
    }
  }
  if (result.size() >= 2 || !(range.high > range.low)) return result;
  result.clear();
  for (double x : ticks({std::pow(10, range.low), std::pow(10, range.high)}, 4))
    result.push_back(std::log10(x));
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : printable(text)) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string svg_begin(double width, double height, double title_left, std::string_view title) {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "font-family='sans-serif' font-size='13'>\n<rect width='{0}' height='{1}' fill='white'/>\n"
      "<text x='{2}' y='24' font-size='16'>{3}</text>\n",
      width, height, title_left, escaped(title));
}

}  // namespace heatfront
