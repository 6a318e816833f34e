// SPDX-License-Identifier: MIT
// heatfront reproduce table1|table2: runs the paper's tables and sets them beside what the paper has.
#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "cli/command.h"
#include "cli/result_files.h"
#include "cli/resumable.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_experiment/reproduce/html_report.h"
#include "heatfront_experiment/reproduce/reproduce.h"
#include "heatfront_experiment/reproduce/table_report.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront::cli {
namespace reproduce_command {

namespace fs = std::filesystem;

struct Arguments {
  std::string table, rows, datasets;
  std::optional<std::int64_t> runs;  // none: as many as the paper has
  bool recorded = false;
  fs::path output;
};

std::string command_text(const Arguments& arguments) {
  std::string text = "heatfront reproduce " + arguments.table;
  if (!arguments.rows.empty()) text += " --rows " + arguments.rows;
  if (!arguments.datasets.empty()) text += " --datasets " + arguments.datasets;
  if (arguments.runs) text += fmt::format(" --runs {}", *arguments.runs);
  return text;
}

std::string cells_table(const Reproduction& result) {
  std::vector<std::vector<std::string>> rows = {
      {"row", "model", "data", "runs", "ours", "paper", "off by", "s a run"}};
  for (const TableCell& cell : result.cells) {
    rows.push_back({std::string(cell.row->number), std::string(cell.row->title),
                    std::string(cell.dataset->title), grouped(std::ssize(cell.runs)), accuracy_text(cell),
                    paper_text(cell.paper), off_text(cell),
                    cell.runs.empty() ? "–" : fmt::format("{:.3g}", cell.seconds.mean)});
  }
  return table(rows);
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
          {"loss", loss_of(*cell.row)},
          {"selected_by", first.selected_by},
          {"preset", first.preset},
          {"runs", runs}};
}

void run(const Arguments& arguments, Console& console) {
  const PaperTable& table = find_paper_table(arguments.table);
  if (arguments.runs && *arguments.runs < 1) fail("--runs {}: it must be 1 or more", *arguments.runs);
  const ReproduceOptions options{
      .rows = parse_rows(table, arguments.rows),
      .datasets = parse_datasets(table, arguments.datasets),
      .runs = arguments.runs.value_or(0),
      .recorded = arguments.recorded,
      .folder = arguments.output.empty() ? fs::path(arguments.table) : arguments.output};
  const ResultFiles files(options.folder, "table.md", "table.csv", "report.html");
  const fs::path& record = files.record();
  if (arguments.recorded && !fs::exists(record))
    fail("{}: there is no record to make tables of; without --recorded the runs are made", record.string());
  make_folder(options.folder);
  const Reproduction result =
      resumable(record, [&] { return reproduce(table, options, console.threads(), console.progress()); });
  if (arguments.recorded && result.runs() == 0)
    fail("{}: has no runs of these rows and data sets with the settings of today", record.string());
  const std::string command = command_text(arguments);
  files.write(markdown_of(table, result, command), csv_of(result), html_of(table, result, command));

  Json cells = Json::array();
  for (const TableCell& cell : result.cells) cells.push_back(cell_json(cell));
  const std::int64_t runs = result.runs();
  console.result(
      {{"table", table.name},
       {"cells", cells},
       {"runs", runs},
       {"runs_before", result.runs_before},
       {"seconds", result.seconds},
       {"output", options.folder.string()}},
      fmt::format("{}\n\n{}: {}, {} of them now in {:.3g} s; deviations are the paper's, else our own\n"
                  "written to {}: {}{}",
                  cells_table(result), table.title, counted(runs, "run"), grouped(runs - result.runs_before),
                  result.seconds, path_text(options.folder), arguments.recorded ? "" : "runs.jsonl, ",
                  files.names()));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  flags.argument("TABLE", arguments->table, "table1 or table2");
  flags.option("--rows", arguments->rows, "Rows by their numbers, as 07-09,11; without it all", "LIST");
  flags.option("--datasets", arguments->datasets, "Data sets by their names, as cora,photo; without it all",
               "LIST");
  flags.option("--runs", arguments->runs,
               "At most so many runs of a cell; without it as many as the paper has", "N");
  flags.flag(
      "--recorded", arguments->recorded,
      "Run nothing: write the tables of the runs that the folder's record has. Needs the data, to know "
      "that they are runs of it; images are joined to their neighbours");
  flags.option("-o,--output", arguments->output,
               "Folder for the record of the runs, the tables, and graphs of neighbours; without it one "
               "named like the "
               "table. Runs that it has are not run again",
               "FOLDER");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace reproduce_command

const Command kReproduceCommand{"reproduce", "Runs the paper's tables, beside what the paper has",
                                "heatfront reproduce table2 --rows 07-08 --datasets cora --runs 3",
                                reproduce_command::define};

}  // namespace heatfront::cli
