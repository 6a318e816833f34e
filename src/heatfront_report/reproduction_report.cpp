// SPDX-License-Identifier: MIT
#include "heatfront_report/reproduction_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/models/models.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

const TableCell* cell_at(const Reproduction& result, const PaperRow& row, const PaperDataset& dataset) {
  const auto found = std::ranges::find_if(
      result.cells, [&](const TableCell& cell) { return cell.row == &row && cell.dataset == &dataset; });
  return found == result.cells.end() ? nullptr : &*found;
}

std::string seeds_text(const TableCell& cell) {
  if (cell.runs.size() < 2) return "–";
  return fmt::format("{}–{}", cell.runs.front().seed, cell.runs.back().seed);
}

// The rows and data sets that were run, in the order of the table.
template <class List, class Member>
List those_run(const Reproduction& result, Member member) {
  List list;
  for (const TableCell& cell : result.cells) {
    if (std::ranges::find(list, cell.*member) == list.end()) list.push_back(cell.*member);
  }
  return list;
}

std::string overview(const Reproduction& result) {
  const auto rows = those_run<std::vector<const PaperRow*>>(result, &TableCell::row);
  const auto datasets = those_run<std::vector<const PaperDataset*>>(result, &TableCell::dataset);
  std::string text = "| row | |", line = "|---|---|";
  for (const PaperDataset* dataset : datasets) {
    text += fmt::format(" {}{} |", dataset->title, dataset->note.empty() ? "" : " †");
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (const PaperRow* row : rows) {
    std::string ours = fmt::format("| {} | {}{}{} |", row->number, row->title,
                                   row->validation_included ? " ¹" : "", row->note.empty() ? "" : " †");
    std::string paper = "| | *paper* |";
    for (const PaperDataset* dataset : datasets) {
      const TableCell* cell = cell_at(result, *row, *dataset);
      ours += fmt::format(" {} |", cell == nullptr ? "–" : accuracy_text(*cell));
      paper += fmt::format(" *{}* |", cell == nullptr ? "–" : paper_text(cell->paper));
    }
    text += ours + "\n" + paper + "\n";
  }
  return text;
}

std::string points_off_text(const TableCell& cell) {
  const double off = 100 * cell.test.mean - cell.paper.mean;
  return std::isnan(off) ? "–" : fmt::format("{:+.1f}", off);
}

std::string details(const Reproduction& result) {
  TextRows rows = {{"row", "data", "runs", "seeds", "ours", "paper", "off", "in deviations", "labels held",
                    "loss", "kept by", "preset", "parameters", "seconds per run"}};
  for (const TableCell& cell : result.cells) {
    if (cell.runs.empty()) continue;
    const TableRun& run = cell.runs.front();
    rows.push_back({std::string(cell.row->number), std::string(cell.dataset->title),
                    std::to_string(cell.runs.size()), seeds_text(cell), accuracy_text(cell),
                    paper_text(cell.paper), points_off_text(cell), off_text(cell), labels_held(*cell.row),
                    loss_of(cell), run.selected_by, run.preset.empty() ? "–" : run.preset,
                    std::to_string(run.parameters), fmt::format("{:.3g}", cell.seconds.mean)});
  }
  return markdown_table(rows);
}

std::string splits(const Reproduction& result) {
  TextRows rows = {{"data", "seed", "split"}};
  for (const TableCell& cell : result.cells) {
    for (const TableRun& run : cell.runs) {
      const bool same_for_all = split_of(*cell.row, *cell.dataset) == "file";
      std::vector<std::string> row = {std::string(cell.dataset->title),
                                      same_for_all ? "all" : std::to_string(run.seed), run.split};
      if (std::ranges::find(rows, row) == rows.end()) rows.push_back(std::move(row));
    }
  }
  return markdown_table(rows);
}

std::string runs_text(const Reproduction& result) {
  const std::int64_t now = result.runs() - result.runs_before;
  if (now == 0) return fmt::format("{}, all from the record.", counted(result.runs(), "run"));
  return fmt::format("{}, {} of them in the last {:.3g} minutes, {} at once.", counted(result.runs(), "run"),
                     now, result.seconds / 60, result.threads);
}

std::string cells_text(const Reproduction& result) {
  TextRows rows = {{"row", "model", "data", "runs", "ours", "paper", "off by", "seconds per run"}};
  for (const TableCell& cell : result.cells) {
    rows.push_back({std::string(cell.row->number), std::string(cell.row->title),
                    std::string(cell.dataset->title), grouped(std::ssize(cell.runs)), accuracy_text(cell),
                    paper_text(cell.paper), off_text(cell),
                    cell.runs.empty() ? "–" : fmt::format("{:.3g}", cell.seconds.mean)});
  }
  return text_table(rows);
}

Json cell_json(const TableCell& cell) {
  const auto of_runs = [&](double value) { return cell.runs.empty() ? Json() : json_number(value); };
  Json runs = Json::array();
  for (const TableRun& run : cell.runs)
    runs.push_back({{"seed", run.seed},
                    {"split", run.split},
                    {"test_accuracy", json_number(run.test_accuracy)},
                    {"seconds", run.seconds}});
  const TableRun first = cell.runs.empty() ? TableRun() : cell.runs.front();
  return {{"row", cell.row->number},
          {"model", cell.row->title},
          {"dataset", cell.dataset->name},
          {"test_mean", of_runs(cell.test.mean)},
          {"test_deviation", of_runs(cell.test.deviation)},
          {"paper_mean", json_number(cell.paper.mean / 100)},
          {"paper_deviation", json_number(cell.paper.deviation / 100)},
          {"deviations_off", json_number(deviations_off(cell))},
          {"validation_labels_included", cell.row->validation_included},
          {"split", first.split},
          {"labels_held", labels_held(*cell.row)},
          {"loss", loss_of(cell)},
          {"selected_by", first.selected_by},
          {"preset", first.preset},
          {"runs", runs}};
}

}  // namespace

double deviations_off(const TableCell& cell) {
  const double unit = std::isnan(cell.paper.deviation) ? 100 * cell.test.deviation : cell.paper.deviation;
  if (!(unit > 0) || cell.runs.empty()) return std::numeric_limits<double>::quiet_NaN();
  return (100 * cell.test.mean - cell.paper.mean) / unit;
}

std::string off_text(const TableCell& cell) {
  const double off = deviations_off(cell);
  return std::isnan(off) ? "–" : fmt::format("{:+.1f} σ", off);
}

std::string accuracy_text(const TableCell& cell) {
  if (cell.runs.empty() || std::isnan(cell.test.mean)) return "–";
  if (cell.runs.size() == 1) return fmt::format("{:.1f}", 100 * cell.test.mean);
  return fmt::format("{:.1f} ± {:.1f}", 100 * cell.test.mean, 100 * cell.test.deviation);
}

std::string paper_text(const PaperFigure& figure) {
  if (std::isnan(figure.mean)) return "–";
  if (std::isnan(figure.deviation)) return fmt::format("{:.1f}", figure.mean);
  return fmt::format("{:.1f} ± {:.1f}", figure.mean, figure.deviation);
}

std::vector<std::string> notes_on(const Reproduction& result) {
  std::vector<std::string> notes;
  for (const PaperDataset* dataset :
       those_run<std::vector<const PaperDataset*>>(result, &TableCell::dataset)) {
    if (!dataset->note.empty()) notes.push_back(fmt::format("{}: {}", dataset->title, dataset->note));
  }
  for (const PaperRow* row : those_run<std::vector<const PaperRow*>>(result, &TableCell::row)) {
    if (!row->note.empty()) notes.push_back(fmt::format("Row {}: {}", row->number, row->note));
  }
  return notes;
}

std::string labels_held(const PaperRow& row) {
  return row.validation_included ? "train + validation" : "train";
}

std::string loss_of(const TableCell& cell) {
  const std::string model = model_of(*cell.row, cell.dataset->name).model;
  return std::string(model.empty() ? kNoLoss : find_model(model).loss);
}

Json json_of(const PaperTable& table, const Reproduction& result) {
  Json cells = Json::array();
  for (const TableCell& cell : result.cells) cells.push_back(cell_json(cell));
  return {{"table", table.name},
          {"cells", cells},
          {"runs", result.runs()},
          {"runs_before", result.runs_before},
          {"seconds", result.seconds}};
}

std::string text_of(const PaperTable& table, const Reproduction& result) {
  const std::int64_t runs = result.runs();
  return fmt::format("{}\n\n{}: {}, {} of them now in {:.3g} s; deviations are the paper's, else our own",
                     cells_text(result), table.title, counted(runs, "run"),
                     grouped(runs - result.runs_before), result.seconds);
}

std::string markdown_of(const PaperTable& table, const Reproduction& result, const std::string& command) {
  const bool marked =
      std::ranges::any_of(result.cells, [](const TableCell& cell) { return cell.row->validation_included; });
  std::string footnotes = marked ? "¹ Validation labels are held fixed beside the training labels, after "
                                   "training; in rows that say so, after training "
                                   "again.\n\n"
                                 : "";
  for (const std::string& note : notes_on(result)) footnotes += "† " + note + "\n\n";
  return fmt::format(
      "## {}\n\n"
      "`{}`: mean ± deviation of the test accuracy in percent, beside the paper's. {}\n\n"
      "{}\n{}"
      "### Cell by cell\n\n"
      "σ is the paper's deviation, else our own. Seconds are of one run on one thread, as many runs at once "
      "as there "
      "are threads. Loss is what training lowers, on the training labels.\n\n"
      "{}\n"
      "### Splits\n\n"
      "{}",
      table.title, command, runs_text(result), overview(result), footnotes, details(result), splits(result));
}

std::string csv_of(const Reproduction& result) {
  std::string text =
      "row,model,dataset,runs,test_mean,test_deviation,paper_mean,paper_deviation,deviations_off,"
      "validation_mean,validation_included,split,labels_held,loss,selected_by,preset,parameters,seconds_mean,"
      "seconds_deviation\n";
  const auto number = [](double value) { return csv_number(value, 6); };
  for (const TableCell& cell : result.cells) {
    if (cell.runs.empty()) continue;
    const TableRun& run = cell.runs.front();
    text += fmt::format(
        "{},\"{}\",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell.row->number, cell.row->title,
        cell.dataset->name, cell.runs.size(), number(100 * cell.test.mean), number(100 * cell.test.deviation),
        number(cell.paper.mean), number(cell.paper.deviation), number(deviations_off(cell)),
        number(100 * cell.validation.mean), cell.row->validation_included, csv_cell(run.split),
        labels_held(*cell.row), loss_of(cell), run.selected_by, csv_cell(run.preset), run.parameters,
        number(cell.seconds.mean), number(cell.seconds.deviation));
  }
  return text;
}

}  // namespace heatfront
