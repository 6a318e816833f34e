// SPDX-License-Identifier: MIT
// heatfront reproduce table1|table2|few: runs the paper's tables, beside what the paper has, and one of few labels.
#include <fmt/core.h>

#include <filesystem>
#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_experiment/reproduce/reproduce.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_report/output_files.h"
#include "heatfront_report/reproduction_page.h"
#include "heatfront_report/reproduction_report.h"

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
    fail("{} has no runs of these rows and data sets with the settings of today", record.string());
  const std::string command = command_text(arguments);
  files.write(markdown_of(table, result, command), csv_of(result), html_of(table, result, command));

  Json object = json_of(table, result);
  object["output"] = options.folder.string();
  console.result(object,
                 fmt::format("{}\nwritten to {}: {}{}", text_of(table, result), path_text(options.folder),
                             arguments.recorded ? "" : "runs.jsonl, ", files.names()));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  flags.argument("TABLE", arguments->table,
                 "table1 or table2, the paper's, or few: 1 to 10 labels per class");
  flags.option("--rows", arguments->rows, "Rows by number, such as 07-09,11; default: all", "LIST");
  flags.option("--datasets", arguments->datasets, "Data sets by name, such as cora,photo; default: all",
               "LIST");
  flags.option("--runs", arguments->runs, "At most this many runs per cell; default: as many as the paper",
               "N");
  flags.flag("--recorded", arguments->recorded,
             "Run nothing: write the tables from the runs recorded in the folder. Needs the data, to check "
             "that the runs belong to it; images are joined to their neighbours");
  flags.option("-o,--output", arguments->output,
               "Folder for the recorded runs, the tables and the neighbour graphs; default: named like the "
               "table. Recorded runs are not repeated",
               "FOLDER");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace reproduce_command

const Command kReproduceCommand{"reproduce", "Runs the paper's tables again, next to the paper's own figures",
                                "heatfront reproduce table2 --rows 07-08 --datasets cora --runs 3",
                                reproduce_command::define};

}  // namespace heatfront::cli
