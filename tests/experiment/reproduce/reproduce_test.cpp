// SPDX-License-Identifier: MIT
#include "heatfront_experiment/reproduce/reproduce.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "heatfront/models/models.h"
#include "heatfront/train/presets.h"
#include "heatfront_report/reproduction_page.h"
#include "heatfront_report/reproduction_report.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

// A small table on data that is always there.
constexpr std::array<PaperDataset, 2> kData = {
    {{"karate", "Karate", "per-class 3,5", 3}, {"blocks:size=20", "Blocks", "per-class 3,5", 2}}};
constexpr std::array<PaperFigure, 2> kFigures = {{{80, 10}, {70}}};
constexpr std::array<PaperRow, 4> kRows = {
    {{.number = "01", .title = "Flow", .figures = kFigures},
     {.number = "02", .title = "Front", .model = "heat-front", .setting = "epochs=4", .figures = kFigures},
     {.number = "03", .title = "Flow, more", .validation_included = true, .figures = kFigures},
     {.number = "04",
      .title = "Front, more",
      .validation_included = true,
      .model = "heat-front",
      .setting = "epochs=4",
      .figures = kFigures}}};
constexpr PaperTable kTable = {"small", "A small table", kData, kRows};

std::vector<double> accuracies(const Reproduction& result) {
  std::vector<double> values;
  for (const TableCell& cell : result.cells) {
    for (const TableRun& run : cell.runs) values.push_back(run.test_accuracy);
  }
  return values;
}

TEST(Reproduce, RunsEveryCellWithEverySeed) {
  Threads threads(2);
  const Reproduction result = reproduce(kTable, {}, threads);
  ASSERT_EQ(result.cells.size(), 8u);
  for (const TableCell& cell : result.cells) {
    ASSERT_EQ(std::ssize(cell.runs), cell.dataset->runs);
    for (std::size_t i = 0; i < cell.runs.size(); ++i) {
      EXPECT_EQ(cell.runs[i].seed, i);
      EXPECT_EQ(cell.runs[i].validation_included, cell.row->validation_included);
      EXPECT_EQ(std::isnan(cell.runs[i].validation_accuracy), cell.row->validation_included);
      EXPECT_GT(cell.runs[i].test_accuracy, 0.3);
      EXPECT_EQ(cell.runs[i].epochs, cell.row->model.empty() ? 0 : 4);
    }
  }
  EXPECT_NE(result.cells[0].runs[0].split, result.cells[0].runs[1].split) << "a split for every seed";
}

TEST(Reproduce, GivesTheSameTableWhenBrokenOffAndForAnyNumberOfThreads) {
  Threads one(1), two(2);
  const std::vector<double> whole = accuracies(reproduce(kTable, {}, one));
  EXPECT_EQ(accuracies(reproduce(kTable, {}, two)), whole);
  const test::TemporaryFolder folder;
  const ReproduceOptions options{.folder = folder.path()};
  EXPECT_THROW(reproduce(kTable, options, two, [](const Progress& progress) { return progress.done < 3; }),
               Interrupted);
  const auto lines = [&] {
    const std::string text = test::file_text(folder.path() / "runs.jsonl");
    return std::ranges::count(text, '\n');
  };
  const auto before = lines();
  EXPECT_GT(before, 1);
  const Reproduction rest = reproduce(kTable, options, two);
  EXPECT_EQ(accuracies(rest), whole);
  EXPECT_EQ(rest.runs_before, before - 1);
  EXPECT_EQ(lines(), 1 + std::ssize(whole)) << "nothing is run twice";
  EXPECT_EQ(reproduce(kTable, options, two).runs_before, std::ssize(whole));
}

TEST(Reproduce, RunsARowAloneWhereTheOneThatSharesItsTrainingIsOnTheRecord) {
  Threads threads(2);
  for (const char* lost : {"03", "04", "01", "02"}) {  // as if killed between the two lines of a job
    const test::TemporaryFolder folder;
    const ReproduceOptions options{.folder = folder.path()};
    const std::vector<double> whole = accuracies(reproduce(kTable, options, threads));
    std::istringstream lines(test::file_text(folder.path() / "runs.jsonl"));
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(fmt::format("\"row\":\"{}\"", lost)) == line.npos) kept += line + "\n";
    }
    folder.write("runs.jsonl", kept);
    const Reproduction again = reproduce(kTable, options, threads);
    EXPECT_EQ(again.runs_before, std::ssize(whole) - 5)
        << "a row has three runs on one data set and two on the other";
    EXPECT_EQ(accuracies(again), whole) << lost;
  }
}

TEST(Reproduce, NamesRowDataAndSeedOfARunThatFails) {
  static constexpr std::array<PaperRow, 1> kDiverging = {{{.number = "05",
                                                           .title = "Diverging",
                                                           .model = "heat-front",
                                                           .setting = "learning_rate=1e300",
                                                           .figures = kFigures}}};
  Threads threads(1);
  const std::string error = test::error_text([&] {
    reproduce({"small", "A small table", kData, kDiverging}, {.datasets = {"karate"}}, threads);
  });
  EXPECT_TRUE(error.starts_with("row 05 on Karate, seed 0: epoch ")) << error;
}

TEST(Reproduce, RunsTheRowsAndDataThatAreChosen) {
  Threads threads(1);
  const Reproduction result =
      reproduce(kTable, {.rows = parse_rows(kTable, "02-03"), .datasets = {"karate"}, .runs = 2}, threads);
  ASSERT_EQ(result.cells.size(), 2u);
  EXPECT_EQ(result.cells[0].row->number, "02");
  EXPECT_EQ(result.cells[0].runs.size(), 2u);
  EXPECT_EQ(parse_rows(kTable, "1, 03-4"), (std::vector<std::string>{"01", "03", "04"}));
  EXPECT_EQ(test::error_text([] { parse_rows(kTable, "07"); }),
            "--rows 07: small has no row '07'; there are 01 to 04, as in 07-09,11");
  EXPECT_EQ(test::error_text([] { parse_rows(kTable, "03-02"); }), "--rows 03-02: '03-02' goes backwards");
  EXPECT_EQ(test::error_text([] { parse_datasets(kTable, "cora"); }),
            "--datasets cora: small has no data set 'cora'; choose from: karate, blocks:size=20");
}

TEST(TableReport, SetsOursBesideThePapers) {
  TableCell cell{.row = &kRows[0], .dataset = &kData[0], .paper = kFigures[0], .runs = {{}, {}}};
  cell.test = {.mean = 0.85, .deviation = 0.02};
  EXPECT_EQ(accuracy_text(cell), "85.0 ± 2.0");
  EXPECT_EQ(paper_text(cell.paper), "80.0 ± 10.0");
  EXPECT_NEAR(deviations_off(cell), 0.5, 1e-12);
  cell.paper = kFigures[1];
  EXPECT_NEAR(deviations_off(cell), 7.5, 1e-12) << "in our own deviations";
  const std::string text = markdown_of(kTable, {.cells = {cell}}, "heatfront reproduce small");
  EXPECT_NE(text.find("| 01 | Flow | 85.0 ± 2.0 |\n| | *paper* | *70.0* |"), std::string::npos) << text;
  EXPECT_NE(csv_of({.cells = {cell}}).find("\n01,\"Flow\",karate,2,85,2,70,,7.5,"), std::string::npos);
}

TEST(TableReport, ShowsADashWhereThereIsNoAccuracy) {
  const double none = PaperFigure::kNone;
  const TableCell cell{.row = &kRows[0],
                       .dataset = &kData[0],
                       .paper = kFigures[0],
                       .runs = {{}, {}},
                       .test = {none, none},
                       .validation = {none, none},
                       .seconds = {1, 0}};
  EXPECT_EQ(accuracy_text(cell), "–");
  const Reproduction result{.cells = {cell}};
  for (const std::string& text :
       {markdown_of(kTable, result, "c"), csv_of(result), html_of(kTable, result, "c")})
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_NE(csv_of(result).find("\n01,\"Flow\",karate,2,,,80,10,,,false,"), std::string::npos);
}

TEST(TableReport, SaysBelowTheTableWhereTheDataIsNotThePapers) {
  static constexpr PaperDataset kOther = {
      .name = "karate", .title = "Karate", .runs = 1, .note = "other <features>."};
  const Reproduction result{
      .cells = {{.row = &kRows[0], .dataset = &kOther, .paper = kFigures[0], .runs = {}}}};
  const std::string text = markdown_of(kTable, result, "c");
  EXPECT_NE(text.find("| row | | Karate † |"), std::string::npos) << text;
  EXPECT_NE(text.find("| *80.0 ± 10.0* |\n\n† Karate: other <features>.\n\n###"), std::string::npos) << text;
  EXPECT_NE(html_of(kTable, result, "c").find("<p>Karate: other &lt;features&gt;.</p>"), std::string::npos);
  EXPECT_EQ(
      markdown_of(kTable, {.cells = {{.row = &kRows[0], .dataset = &kData[0], .paper = {}, .runs = {}}}}, "c")
          .find("†"),
      std::string::npos);
}

TEST(TableReport, SaysBelowTheTableWhereTheFiguresAreOfAnotherKind) {
  static constexpr PaperRow kOther = {
      .number = "07", .title = "Flow", .validation_included = true, .figures = kFigures, .note = "one run."};
  const Reproduction result{
      .cells = {{.row = &kOther, .dataset = &kData[0], .paper = kFigures[0], .runs = {}}}};
  const std::string text = markdown_of(kTable, result, "c");
  EXPECT_NE(text.find("| 07 | Flow ¹ † |"), std::string::npos) << text;
  EXPECT_NE(text.find("\n\n† Row 07: one run.\n\n###"), std::string::npos) << text;
}

TEST(TableReport, GivesEveryCellItsProtocol) {
  Threads threads(1);
  const Reproduction result = reproduce(kTable, {.datasets = {"karate"}, .runs = 1}, threads);
  const std::string split = result.cells[0].runs[0].split;
  EXPECT_TRUE(split.starts_with("per-class 3,5 seed 0 (") && split.ends_with(")")) << split;
  const std::string csv = csv_of(result), markdown = markdown_of(kTable, result, "c"),
                    page = html_of(kTable, result, "c");
  EXPECT_NE(csv.find(",split,labels_held,loss,selected_by,preset,parameters,"), std::string::npos) << csv;
  for (const std::string& cells :
       {",false,\"" + split + "\",train,none,validation-accuracy,,0,",
        ",false,\"" + split + "\",train,cross-entropy of the free flow,validation-accuracy,none,",
        ",true,\"" + split +
            "\",train + validation,cross-entropy of the free flow,validation-accuracy,none,"})
    EXPECT_NE(csv.find(cells), std::string::npos) << cells << " in\n" << csv;
  EXPECT_NE(markdown.find("| train | none | validation-accuracy | – | 0 |"), std::string::npos) << markdown;
  EXPECT_NE(
      markdown.find("| train + validation | cross-entropy of the free flow | validation-accuracy | none |"),
      std::string::npos)
      << markdown;
  const std::string cell = "<td class='name'>";
  EXPECT_NE(page.find(cell + split + "</td>" + cell + "train + validation</td>" + cell +
                      "cross-entropy of the free flow</td>"),
            std::string::npos);
}

TEST(HtmlReport, DrawsAccuraciesTimesAndCurvesWithoutHoles) {
  Threads threads(2);
  const std::string page =
      html_of(kTable, reproduce(kTable, {.runs = 2}, threads), "heatfront reproduce <small>");
  const auto count = [&](std::string_view what) {
    int found = 0;
    for (std::size_t at = 0; (at = page.find(what, at)) != page.npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("<svg"), 2 + 2 + 2 + 2) << "accuracies, times, over t, over the epochs; two data sets each";
  EXPECT_EQ(count("</svg>"), 8);
  EXPECT_EQ(count("nan"), 0);
  EXPECT_EQ(count("<code>heatfront reproduce &lt;small&gt;</code>"), 1);
  EXPECT_EQ(count("http"), 8) << "the name of SVG, and no other address";
}

TEST(PaperTables, HaveAFigureForEveryCellAndModelsThatExist) {
  for (const PaperTable& table : paper_tables()) {
    for (const PaperRow& row : table.rows) {
      EXPECT_EQ(row.figures.size(), table.datasets.size()) << row.number;
      for (const PaperDataset& dataset : table.datasets) {
        const RowModel chosen = model_of(row, dataset.name);
        if (!chosen.model.empty()) {
          EXPECT_EQ(find_model(chosen.model).name, chosen.model);
        }
        if (!chosen.preset.empty()) {
          EXPECT_TRUE(is_preset(chosen.preset, chosen.model)) << chosen.preset;
        }
      }
    }
  }
  EXPECT_EQ(find_paper_table("table2").rows.size(), 13u);
  EXPECT_EQ(test::error_text([] { find_paper_table("table3"); }),
            "unknown table 'table3' (did you mean 'table1'?); choose from: table1, table2, few");
}

}  // namespace
}  // namespace heatfront
