// SPDX-License-Identifier: MIT
#include "heatfront_report/drawing/reliability_plot.h"

#include <fmt/core.h>

#include <algorithm>

#include "heatfront/evaluate/metrics.h"
#include "heatfront_report/drawing/axis.h"

namespace heatfront {
namespace {

constexpr double kSide = 280, kPanelWidth = 350, kPanelLeft = 56, kPanelTop = 44, kGap = 12, kBars = 56;
constexpr double kFloor = kPanelTop + kSide + kGap + kBars, kPanelHeight = kFloor + 48;

std::string grid(double left) {
  std::string svg;
  for (int percent = 0; percent <= 100; percent += 20) {
    const double x = left + kSide * percent / 100, y = kPanelTop + kSide - kSide * percent / 100;
    svg += fmt::format(
        "<line x1='{0}' x2='{1}' y1='{2}' y2='{2}' stroke='#ddd'/>"
        "<text x='{3}' y='{4}' text-anchor='end'>{5}</text>\n"
        "<line x1='{6}' x2='{6}' y1='{7}' y2='{8}' stroke='#ddd'/>"
        "<text x='{6}' y='{9}' text-anchor='middle'>{5}</text>\n",
        left, left + kSide, y, left - 8, y + 4, percent, x, kPanelTop, kFloor, kFloor + 18);
  }
  return svg +
         fmt::format(
             "<line x1='{0}' x2='{1}' y1='{2}' y2='{3}' stroke='#888' stroke-dasharray='5 4'/>\n"
             "<text x='{4}' y='{5}' text-anchor='middle'>confidence in %</text>\n"
             "<text transform='translate({6} {7}) rotate(-90)' text-anchor='middle'>accuracy in %</text>\n"
             "<text transform='translate({6} {8}) rotate(-90)' text-anchor='middle'>nodes</text>\n",
             left, left + kSide, kPanelTop + kSide, kPanelTop, left + kSide / 2, kFloor + 38, left - 40,
             kPanelTop + kSide / 2, kFloor - kBars / 2);
}

std::string bins_of(const Calibration& calibration, double left) {
  std::int64_t most = 1;
  for (const ReliabilityBin& bin : calibration.bins) most = std::max(most, bin.nodes);
  const auto top = [](double accuracy) { return kPanelTop + kSide * (1 - accuracy); };
  std::string svg;
  for (const ReliabilityBin& bin : calibration.bins) {
    if (bin.nodes == 0) continue;
    const ShareInterval interval = share_interval(bin.accuracy, bin.nodes);
    const double height = kBars * static_cast<double>(bin.nodes) / static_cast<double>(most);
    svg += fmt::format(
        "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}' stroke='{3}' stroke-width='2' "
        "opacity='.5'/>"
        "<circle cx='{0:.1f}' cy='{4:.1f}' r='4' fill='{3}'/>"
        "<rect x='{5:.1f}' y='{6:.1f}' width='{7:.1f}' height='{8:.1f}' fill='{3}' opacity='.6'>"
        "<title>{9} nodes</title></rect>\n",
        left + kSide * bin.confidence, top(interval.low), top(interval.high), kChartColours[0],
        top(bin.accuracy), left + kSide * bin.low + 1, kFloor - height, kSide * (bin.high - bin.low) - 2,
        height, bin.nodes);
  }
  return svg;
}

}  // namespace

std::string svg_of(std::span<const ReliabilityPanel> panels) {
  std::string svg =
      svg_begin(kPanelWidth * static_cast<double>(panels.size()) + 8, kPanelHeight, kPanelLeft, "");
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double left = kPanelLeft + kPanelWidth * static_cast<double>(i);
    svg += fmt::format("<text x='{}' y='28' font-size='15'>{}</text>\n", left, escaped(panels[i].title));
    svg += grid(left) + bins_of(panels[i].calibration, left);
  }
  return svg + "</svg>\n";
}

}  // namespace heatfront
