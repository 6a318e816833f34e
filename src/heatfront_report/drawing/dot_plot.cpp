// SPDX-License-Identifier: MIT
#include "heatfront_report/drawing/dot_plot.h"

#include <fmt/core.h>

#include <cmath>

#include "heatfront_report/drawing/axis.h"

namespace heatfront {
namespace {

constexpr double kPlotWidth = 720, kNames = 260, kMargin = 24, kHead = 66, kRowHeight = 26, kFoot = 48;

double scaled(const DotPlot& plot, double value) { return plot.logarithmic ? std::log10(value) : value; }

Range range_of(const DotPlot& plot) {
  Range range;
  for (const DotRow& row : plot.rows) {
    for (const Dot& dot : row.dots) {
      const double reach = std::isnan(dot.deviation) || plot.logarithmic ? 0 : dot.deviation;
      range.add(scaled(plot, dot.value - reach));
      range.add(scaled(plot, dot.value + reach));
    }
  }
  if (!(range.high > range.low)) range = {range.low - 0.5, range.high + 0.5};
  const double air = (range.high - range.low) / 40;
  return {range.low - air, range.high + air};
}

}  // namespace

std::string svg_of(const DotPlot& plot) {
  const double height = kHead + kRowHeight * static_cast<double>(plot.rows.size()) + kFoot;
  const Range range = range_of(plot);
  const auto left = [&](double value) {
    return kNames + range.share(value) * (kPlotWidth - kNames - kMargin);
  };
  std::string svg = svg_begin(kPlotWidth, height, kMargin, plot.title);
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const double x = kNames + 120 * static_cast<double>(k);
    svg += fmt::format("<circle cx='{}' cy='46' r='5' fill='{}'/><text x='{}' y='50'>{}</text>\n", x,
                       kChartColours[k % kChartColours.size()], x + 10, escaped(plot.series[k]));
  }
  for (double tick : plot.logarithmic ? logarithmic_ticks(range) : ticks(range, 6)) {
    svg += fmt::format(
        "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#ddd'/>\n"
        "<text x='{0:.1f}' y='{3}' text-anchor='middle'>{4:.4g}</text>\n",
        left(tick), kHead, height - kFoot, height - kFoot + 18, plot.logarithmic ? std::pow(10, tick) : tick);
  }
  svg += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n",
                     (kNames + kPlotWidth - kMargin) / 2, height - 10, escaped(plot.x_name));
  for (std::size_t i = 0; i < plot.rows.size(); ++i) {
    const DotRow& row = plot.rows[i];
    const double middle = kHead + kRowHeight * (static_cast<double>(i) + 0.5);
    svg += fmt::format("<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", kNames - 12, middle + 4,
                       escaped(row.name));
    for (std::size_t k = 0; k < row.dots.size(); ++k) {
      const Dot& dot = row.dots[k];
      if (std::isnan(dot.value)) continue;
      const double y = middle + 7 * (static_cast<double>(k) - 0.5 * static_cast<double>(row.dots.size() - 1));
      const std::string_view colour = kChartColours[k % kChartColours.size()];
      if (!std::isnan(dot.deviation) && !plot.logarithmic) {
        svg += fmt::format(
            "<line x1='{0:.1f}' x2='{1:.1f}' y1='{2:.1f}' y2='{2:.1f}' stroke='{3}' stroke-width='2'/>\n",
            left(dot.value - dot.deviation), left(dot.value + dot.deviation), y, colour);
      }
      svg += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='4' fill='{}'/>\n", left(scaled(plot, dot.value)),
                         y, colour);
    }
  }
  return svg + "</svg>\n";
}

}  // namespace heatfront
