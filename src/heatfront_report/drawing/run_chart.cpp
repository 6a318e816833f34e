// SPDX-License-Identifier: MIT
#include "heatfront_report/drawing/run_chart.h"

#include <fmt/core.h>

#include <cmath>

namespace heatfront {

Chart chart_of(const TableRun& run, const std::string& title) {
  const bool flow = !std::isnan(run.time);
  Chart chart{.title = title,
              .x_name = flow ? "time t" : "epoch",
              .y_name = "accuracy in %",
              .logarithmic_x = flow,
              .percent = true,
              .curves = {{"validation", {}}, {"test", {}}}};
  if (flow) {
    chart.mark = run.time;
    chart.mark_name = fmt::format("t = {:.4g}", run.time);
  }
  for (const CurvePoint& point : run.curve) {
    chart.x.push_back(point.x);
    chart.curves[0].values.push_back(100 * point.validation);
    chart.curves[1].values.push_back(100 * point.test);
  }
  return chart;
}

}  // namespace heatfront
