// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/program_fixture.h"
#include "support/public_data.h"

namespace heatfront {
namespace {

using test::file_text;
using test::Outcome;
using test::run_program;

using ReproduceCommand = test::ProgramFixture;

TEST_F(ReproduceCommand, RunsARowOnceAndWritesItsTables) {
  const std::filesystem::path cora = test::public_data("cora.npz");
  if (cora.empty()) GTEST_SKIP() << "SKIPPED: needs cora.npz";
  const std::string here = "env HEATFRONT_DATA='" + cora.parent_path().string() + "'";
  const std::string command = "reproduce table2 --rows 07,10 --datasets cora -o " + path("t2");
  const Outcome first = run_program(command, here);
  EXPECT_EQ(first.code, 0) << first.errors;
  EXPECT_NE(first.output.find("2 runs, 2 of them now"), std::string::npos) << first.output;
  EXPECT_NE(run_program(command, here).output.find("2 runs, 0 of them now"), std::string::npos);
  EXPECT_NE(file_text(path("t2/table.md")).find("| 07 | Flow alone (Eq. 15) | 73.2 |"), std::string::npos);
  const Outcome recorded =
      run_program("reproduce table2 --rows 07-09 --datasets cora --recorded -o " + path("t2"), here);
  EXPECT_NE(recorded.output.find("1 run, 0 of them now"), std::string::npos)
      << recorded.output << recorded.errors;
  EXPECT_NE(recorded.output.find("t2: table.md, table.csv, report.html"), std::string::npos)
      << recorded.output;
  EXPECT_NE(file_text(path("t2/table.md")).find("| 08 | Learned front | – |"), std::string::npos);
  const std::string before = file_text(path("t2/table.md"));
  EXPECT_EQ(
      run_program("reproduce table2 --rows 08 --datasets cora --recorded -o " + path("t2"), here).errors,
      "heatfront: " + path("t2/runs.jsonl") +
          " has no runs of these rows and data sets with the settings of today\n");
  EXPECT_EQ(file_text(path("t2/table.md")), before);
  run_program(command, here);
  EXPECT_NE(file_text(path("t2/table.csv")).find("\n10,\"Row 07, validation labels included\",cora,1,79.5"),
            std::string::npos);
}

TEST_F(ReproduceCommand, TellsMachinesTheProtocolOfEveryCell) {
  const std::filesystem::path cora = test::public_data("cora.npz");
  if (cora.empty()) GTEST_SKIP() << "SKIPPED: needs cora.npz";
  const Outcome outcome = run_program("reproduce table2 --rows 10 --datasets cora --json -o " + path("t2"),
                                      "env HEATFRONT_DATA='" + cora.parent_path().string() + "'");
  const nlohmann::json cell = nlohmann::json::parse(outcome.output)["cells"][0];
  EXPECT_TRUE(cell["split"].get<std::string>().starts_with("file (")) << cell;
  EXPECT_EQ(cell["split"], cell["runs"][0]["split"]);
  EXPECT_EQ(cell["labels_held"], "train + validation");
  EXPECT_EQ(cell["loss"], "none");
  EXPECT_EQ(cell["selected_by"], "validation-accuracy");
  EXPECT_EQ(cell["preset"], "");
}

TEST_F(ReproduceCommand, RunsTheTableOfFewLabels) {
  const std::filesystem::path cora = test::public_data("cora.npz");
  if (cora.empty()) GTEST_SKIP() << "SKIPPED: needs cora.npz";
  const std::string here = "env HEATFRONT_DATA='" + cora.parent_path().string() + "'";
  const std::string command = "reproduce few --rows 02,08 --datasets cora --runs 2 -o " + path("few");
  const Outcome first = run_program(command, here);
  EXPECT_NE(first.output.find("4 runs, 4 of them now"), std::string::npos) << first.output << first.errors;
  EXPECT_NE(run_program(command, here).output.find("4 runs, 0 of them now"), std::string::npos);
  EXPECT_NE(file_text(path("few/table.md")).find("| 08 | 2 labels, sizes known |"), std::string::npos);
}

TEST_F(ReproduceCommand, MakesNoTablesOfARecordThatIsNotThere) {
  EXPECT_EQ(refusal("reproduce table2 --recorded -o " + path("new")),
            "heatfront: " + path("new/runs.jsonl") +
                ": there is no record to make tables of; without --recorded the runs are made\n");
  EXPECT_FALSE(std::filesystem::exists(path("new")));
}

TEST_F(ReproduceCommand, RefusesWhatThereIsNot) {
  EXPECT_EQ(refusal("reproduce table3"),
            "heatfront: unknown table 'table3' (did you mean 'table1'?); choose from: table1, table2, few\n");
  EXPECT_NE(refusal("reproduce table2 --rows 17").find("has no row '17'; there are 01 to 13"),
            std::string::npos);
  EXPECT_NE(refusal("reproduce table2 --datasets korate").find("choose from: cora, citeseer, pubmed"),
            std::string::npos);
  for (const char* runs : {"0", "-1"})
    EXPECT_EQ(refusal(std::string("reproduce table2 --runs ") + runs),
              std::string("heatfront: --runs ") + runs + ": it must be 1 or more\n");
  folder_.write("file", "");
  EXPECT_NE(refusal("reproduce table2 -o " + path("file")).find("cannot be made"), std::string::npos);
}

}  // namespace
}  // namespace heatfront
