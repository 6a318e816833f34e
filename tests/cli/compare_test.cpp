// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/program_fixture.h"

namespace heatfront {
namespace {

using test::file_text;
using test::Outcome;
using test::run_program;

using CompareCommand = test::ProgramFixture;

TEST_F(CompareCommand, WritesWhatItFindsAndRunsNothingTwice) {
  const std::string command =
      "compare karate --models \"label-propagation, gcn epochs=2\" --runs 3 --split \"folds 3\" -o " +
      path("c");
  const Outcome first = run_program(command);
  EXPECT_EQ(first.code, 0) << first.errors;
  EXPECT_NE(first.output.find("karate: 3 runs on folds, the same for all models"), std::string::npos)
      << first.output;
  EXPECT_NE(file_text(path("c/comparison.md")).find("| gcn epochs=2 |"), std::string::npos);
  EXPECT_NE(file_text(path("c/comparison.csv")).find("\"label-propagation\",2,\"folds 3 seed 2 ("),
            std::string::npos);
  EXPECT_NE(run_program(command + " --json").output.find("\"runs_before\": 6"), std::string::npos);
}

TEST_F(CompareCommand, ShowsClassByClassWhereClassesAreUneven) {
  const std::string command =
      "compare fraud:nodes=300,positive=0.1 --models \"linear-front, mlp epochs=5\" --runs 2 --split "
      "\"percent "
      "40,0\"";
  const Outcome outcome = run_program(command);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  for (const char* part : {"recall / precision, %  macro F1  ", "Always ok would be right for ", "chosen"})
    EXPECT_NE(outcome.output.find(part), std::string::npos) << outcome.output;
  const auto compared = json_of(command);
  EXPECT_EQ(compared["settings_by"], "folds");
  EXPECT_EQ(compared["uneven"], true);
  EXPECT_EQ(compared["dependence"], 180.0 / 120);
  EXPECT_EQ(compared["most_frequent_class"]["class"], "ok");
  EXPECT_EQ(compared["models"][0]["classes"][1]["class"], "fraud");
  EXPECT_EQ(json_of("compare karate --choose presets --models flow-alone,linear-front --runs 2")["uneven"],
            false);
}

TEST_F(CompareCommand, SaysHowSettingsCanBeChosen) {
  EXPECT_EQ(refusal("compare karate --choose luck"),
            "heatfront: --choose luck: it must be folds or presets\n");
}

TEST_F(CompareCommand, SaysThatThereAreNoLabels) {
  EXPECT_EQ(refusal("compare grid"),
            "heatfront: grid has no labels to learn from; give some nodes a label (in a folder: labels.csv, "
            "of node,label)\n");
}

TEST_F(CompareCommand, ShowsADashAndNoNumberWhereThereAreNoValidationNodes) {
  const std::string command =
      "compare karate --choose presets --models \"label-propagation, gcn epochs=2\" --runs 2 --split "
      "\"percent "
      "60,0\" -o " +
      path("c");
  const Outcome outcome = run_program(command);
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  const std::string page = file_text(path("c/comparison.html")), csv = file_text(path("c/comparison.csv"));
  for (const std::string& text : {page, csv, file_text(path("c/comparison.md"))})
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_NE(file_text(path("c/comparison.md")).find(" | – | none | "), std::string::npos);
  EXPECT_EQ(outcome.output.find("nan ±"), std::string::npos) << outcome.output;
  EXPECT_NE(page.find("<td>–</td>"), std::string::npos);
  EXPECT_NE(csv.find(",,1,"), std::string::npos) << csv;
  EXPECT_TRUE(json_of(command)["models"][0]["runs"][0]["validation_accuracy"].is_null());
}

}  // namespace
}  // namespace heatfront
