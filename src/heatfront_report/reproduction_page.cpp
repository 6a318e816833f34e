// SPDX-License-Identifier: MIT
#include "heatfront_report/reproduction_page.h"

#include <fmt/core.h>

#include <utility>

#include "heatfront_report/drawing/axis.h"
#include "heatfront_report/drawing/dot_plot.h"
#include "heatfront_report/drawing/run_chart.h"
#include "heatfront_report/reproduction_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

std::string row_name(const PaperRow& row) { return fmt::format("{} {}", row.number, row.title); }

// Of the cells of a data set that have runs, each with the dots that `dots` makes of it.
template <class Dots>
DotPlot plot_of(const Reproduction& result, const PaperDataset& dataset, DotPlot plot, const Dots& dots) {
  for (const TableCell& cell : result.cells) {
    if (cell.dataset == &dataset && !cell.runs.empty())
      plot.rows.push_back({row_name(*cell.row), dots(cell)});
  }
  return plot;
}

std::string accuracy_plot(const Reproduction& result, const PaperDataset& dataset) {
  const DotPlot plot = plot_of(
      result, dataset,
      {.title = std::string(dataset.title),
       .x_name = "test accuracy in %, mean and deviation",
       .series = {"ours", "the paper"}},
      [](const TableCell& cell) {
        const double deviation = cell.runs.size() > 1 ? 100 * cell.test.deviation : PaperFigure::kNone;
        return std::vector<Dot>{{100 * cell.test.mean, deviation}, {cell.paper.mean, cell.paper.deviation}};
      });
  return plot.rows.empty() ? "" : svg_of(plot);
}

std::string time_plot(const Reproduction& result, const PaperDataset& dataset) {
  const DotPlot plot = plot_of(result, dataset,
                               {.title = std::string(dataset.title),
                                .x_name = "seconds per run, on one thread",
                                .logarithmic = true,
                                .series = {"mean"}},
                               [](const TableCell& cell) { return std::vector<Dot>{{cell.seconds.mean}}; });
  return plot.rows.empty() ? "" : svg_of(plot);
}

// Of the first seed.
std::string curve_chart(const TableCell& cell) {
  if (cell.runs.empty() || cell.runs.front().curve.empty()) return "";
  return svg_of(chart_of(cell.runs.front(), fmt::format("{}: {}", cell.dataset->title, row_name(*cell.row))));
}

// A row for every cell that has runs, of what `columns` makes of it; the first so many columns are names.
template <class Columns>
std::string cells_table(const Reproduction& result, TextRows rows, std::size_t names,
                        const Columns& columns) {
  for (const TableCell& cell : result.cells) {
    if (!cell.runs.empty()) rows.push_back(columns(cell));
  }
  return html_table(rows, names);
}

std::string numbers_table(const Reproduction& result) {
  return cells_table(
      result, {{"row", "model", "data", "runs", "ours", "paper", "off by", "parameters", "seconds per run"}},
      3, [](const TableCell& cell) -> std::vector<std::string> {
        return {std::string(cell.row->number),
                std::string(cell.row->title),
                std::string(cell.dataset->title),
                std::to_string(cell.runs.size()),
                accuracy_text(cell),
                paper_text(cell.paper),
                off_text(cell),
                std::to_string(cell.runs.front().parameters),
                fmt::format("{:.3g}", cell.seconds.mean)};
      });
}

std::string protocol_table(const Reproduction& result) {
  TextRows head = {{"row", "data", "split", "labels held", "loss", "kept by", "preset"}};
  const std::size_t names = head[0].size();
  return cells_table(result, std::move(head), names, [](const TableCell& cell) -> std::vector<std::string> {
    const TableRun& run = cell.runs.front();
    return {std::string(cell.row->number),
            std::string(cell.dataset->title),
            run.split,
            labels_held(*cell.row),
            loss_of(cell),
            run.selected_by,
            run.preset};
  });
}

}  // namespace

std::string html_of(const PaperTable& table, const Reproduction& result, const std::string& command) {
  std::string accuracies, times, over_time, epochs, notes;
  for (const std::string& note : notes_on(result)) notes += "<p>" + escaped(note) + "</p>\n";
  for (const PaperDataset& dataset : table.datasets) {
    accuracies += accuracy_plot(result, dataset);
    times += time_plot(result, dataset);
  }
  for (const TableCell& cell : result.cells)
    (cell.row->model.empty() ? over_time : epochs) += curve_chart(cell);
  std::string body = fmt::format(
      "<p><code>{}</code></p>\n<p>Test accuracy in percent, mean ± deviation over runs, beside the paper's; "
      "σ is the "
      "paper's deviation, else our own. Rows marked “validation labels included” hold these fixed beside the "
      "training "
      "labels, after training.</p>\n<h2>Accuracy beside the paper's</h2>\n{}\n<h2>In "
      "numbers</h2>\n{}\n<h2>Protocol</h2>\n<p>The split is that of the first run, with its hash. Loss is "
      "what "
      "training lowers, on the training labels.</p>\n{}\n<h2>Time</h2>\n"
      "<p>As many runs at once as there are threads.</p>\n{}\n",
      escaped(command), accuracies, numbers_table(result) + notes, protocol_table(result), times);
  if (!over_time.empty())
    body += "<h2>Accuracy over t</h2>\n<p>The first run of each cell.</p>\n" + over_time;
  if (!epochs.empty()) body += "<h2>Training</h2>\n<p>The first run of each cell.</p>\n" + epochs;
  return html_page(std::string(table.title), body);
}

}  // namespace heatfront
