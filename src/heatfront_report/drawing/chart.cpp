// SPDX-License-Identifier: MIT
#include "heatfront_report/drawing/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "heatfront/base/utf8.h"
#include "heatfront_report/drawing/axis.h"

namespace heatfront {
namespace {

double along(const Chart& chart, double x) { return chart.logarithmic_x ? std::log10(x) : x; }

Range x_range(const Chart& chart) {
  Range range;
  for (double x : chart.x) range.add(along(chart, x));
  return range;
}

Range y_range(std::span<const Curve> curves, bool percent) {
  Range range;
  for (const Curve& curve : curves) {
    for (double y : curve.values) range.add(y);
  }
  if (range.low > range.high) return {0, 1};  // nothing to be seen
  if (range.high == range.low) range = {range.low - 0.5, range.high + 0.5};
  if (percent) range = {std::max(range.low, 0.0), std::min(range.high, 100.0)};
  return range;
}

std::vector<double> x_ticks(const Chart& chart, const Range& range) {
  return chart.logarithmic_x ? logarithmic_ticks(range) : ticks(range, 6);
}

constexpr std::string_view kSigns = "*+x~";  // of the curves in a terminal
constexpr double kWidth = 720, kHeight = 400, kLeft = 64, kRight = 150, kTop = 40, kBottom = 52;
struct Frame {
  Range x, y;
  double left(double value) const { return kLeft + x.share(value) * (kWidth - kLeft - kRight); }
  double top(double value) const { return kHeight - kBottom - y.share(value) * (kHeight - kTop - kBottom); }
};

std::string axes(const Chart& chart, const Frame& frame) {
  std::string svg;
  for (double y : ticks(frame.y, 6)) {
    svg += fmt::format(
        "<line x1='{0}' x2='{1}' y1='{2:.1f}' y2='{2:.1f}' stroke='#ddd'/>\n"
        "<text x='{3}' y='{4:.1f}' text-anchor='end'>{5:.4g}</text>\n",
        kLeft, kWidth - kRight, frame.top(y), kLeft - 8, frame.top(y) + 4, y);
  }
  for (double x : x_ticks(chart, frame.x)) {
    svg += fmt::format(
        "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#ddd'/>\n"
        "<text x='{0:.1f}' y='{3}' text-anchor='middle'>{4:.4g}</text>\n",
        frame.left(x), kTop, kHeight - kBottom, kHeight - kBottom + 18,
        chart.logarithmic_x ? std::pow(10, x) : x);
  }
  svg += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", (kLeft + kWidth - kRight) / 2,
                     kHeight - 12, escaped(chart.x_name));
  svg += fmt::format("<text transform='translate(16 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                     (kTop + kHeight - kBottom) / 2, escaped(chart.y_name));
  return svg;
}

std::string curve_of(const Chart& chart, const Frame& frame, std::size_t index) {
  const Curve& curve = chart.curves[index];
  const std::string_view colour = kChartColours[index % kChartColours.size()];
  std::string path;
  bool pen_down = false;
  for (std::size_t i = 0; i < chart.x.size(); ++i) {
    const bool shown = std::isfinite(curve.values[i]);
    if (shown)
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", frame.left(along(chart, chart.x[i])),
                          frame.top(curve.values[i]));
    pen_down = shown;
  }
  const double height = kTop + 16 + 22 * static_cast<double>(index);
  return fmt::format(
      "<path d='{0}' fill='none' stroke='{1}' stroke-width='2'/>\n"
      "<line x1='{2}' x2='{3}' y1='{4}' y2='{4}' stroke='{1}' stroke-width='3'/>\n"
      "<text x='{5}' y='{6}'>{7}</text>\n",
      path, colour, kWidth - kRight + 12, kWidth - kRight + 32, height, kWidth - kRight + 38, height + 4,
      escaped(curve.name));
}

// A vertical line, its name on the side that has room.
std::string mark_of(const Chart& chart, const Frame& frame) {
  const double x = frame.left(along(chart, chart.mark));
  const bool right_half = x > (kLeft + kWidth - kRight) / 2;
  return fmt::format(
      "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#444' stroke-dasharray='4 3'/>\n"
      "<text x='{3:.1f}' y='{4}' fill='#444' text-anchor='{5}'>{6}</text>\n",
      x, kTop, kHeight - kBottom, right_half ? x - 6 : x + 6, kHeight - kBottom - 8,
      right_half ? "end" : "start", escaped(chart.mark_name));
}

}  // namespace

std::string svg_of(const Chart& chart) {
  const Frame frame{x_range(chart), y_range(chart.curves, chart.percent)};
  std::string svg = svg_begin(kWidth, kHeight, kLeft, chart.title);
  svg += axes(chart, frame);
  if (!chart.mark_name.empty()) svg += mark_of(chart, frame);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) svg += curve_of(chart, frame, i);
  return svg + "</svg>\n";
}

std::string text_of(const Chart& chart, int columns, int rows, std::size_t curves) {
  const std::span shown =
      std::span(chart.curves).first(std::min({curves, chart.curves.size(), kSigns.size()}));
  const Range x = x_range(chart), y = y_range(shown, chart.percent);
  std::vector<std::string> lines(static_cast<std::size_t>(rows),
                                 std::string(static_cast<std::size_t>(columns), ' '));
  for (std::size_t k = 0; k < shown.size(); ++k) {
    for (std::size_t i = 0; i < chart.x.size(); ++i) {
      const double value = shown[k].values[i];
      if (!std::isfinite(value)) continue;
      const auto column =
          static_cast<std::size_t>(std::lround(x.share(along(chart, chart.x[i])) * (columns - 1)));
      const auto row = static_cast<std::size_t>(std::lround((1 - y.share(value)) * (rows - 1)));
      const bool marked = k == 0 && !chart.mark_name.empty() && chart.x[i] == chart.mark;
      char& cell = lines[row][column];
      if (cell == ' ' || marked) cell = marked ? 'o' : kSigns[k];
    }
  }
  std::string text = printable(shown.size() == 1 ? shown[0].name + " of " + chart.title : chart.title + ":");
  for (std::size_t k = 0; k < shown.size() && shown.size() > 1; ++k)
    text += fmt::format("{} {} {}", k > 0 ? "," : "", kSigns[k], printable(shown[k].name));
  for (std::size_t r = 0; r < lines.size(); ++r) {
    const double value = y.high - (y.high - y.low) * static_cast<double>(r) / (rows - 1);
    lines[r].erase(lines[r].find_last_not_of(' ') + 1);
    text += fmt::format("\n{:>9} |{}", fmt::format("{:.4g}{}", value, chart.percent ? " %" : ""), lines[r]);
  }
  const std::string first = fmt::format("{:.4g}", chart.x.front()),
                    last = fmt::format("{:.4g}", chart.x.back());
  const auto gap =
      static_cast<std::size_t>(std::max(1, columns - static_cast<int>(first.size() + last.size())));
  text += fmt::format("\n{:>9} +{}\n{:>11}{}{}{}", "", std::string(static_cast<std::size_t>(columns), '-'),
                      "", first, std::string(gap, ' '), last);
  text +=
      fmt::format("\n{:>11}{}{}", "", chart.x_name, chart.mark_name.empty() ? "" : ", o: " + chart.mark_name);
  return text;
}

}  // namespace heatfront
