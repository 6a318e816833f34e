// SPDX-License-Identifier: MIT
// solve and sweep.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "support/program_fixture.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::json_of;
using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

class FewLabels : public test::ProgramFixture {
 protected:
  static std::string club() { return "'" HEATFRONT_TEST_FILES "/../../examples/club'"; }
};

TEST(Solve, AnswersWithACertificateAndAStatusForEveryNode) {
  const TemporaryFolder folder;
  const std::string table = (folder / "p.csv").string();
  const json solved = json_of("solve karate --split 'per-class 2,5' --time 5 --predictions '" + table + "'");
  for (const char* key :
       {"dataset", "split", "solver", "time", "products", "error_bound", "seconds", "whole_seconds",
        "train_accuracy", "validation_accuracy", "test_accuracy", "unreached", "undecided", "known"}) {
    EXPECT_TRUE(solved.contains(key)) << key;
  }
  EXPECT_EQ(solved["solver"], "chebyshev");
  EXPECT_EQ(solved["known"], 4);
  EXPECT_LT(solved["error_bound"], 1e-5);
  EXPECT_GT(solved["test_accuracy"], 0.8);
  const std::string text = test::file_text(table);
  EXPECT_TRUE(text.starts_with("node,class,confidence,margin,status\n")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 35);
}

TEST(Solve, SaysWhatItWroteAndHowLongItTook) {
  const TemporaryFolder folder;
  const std::string npz = (folder / "t.npz").string(), table = (folder / "p.csv").string();
  const std::string text = run_program("solve karate -o '" + npz + "' --predictions '" + table + "'").output;
  EXPECT_NE(text.find("  written    " + npz + ", " + table + "\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("e-0"), text.find("error at most") + 17) << text;
  EXPECT_NE(run_program("solve karate").output.find("not written: --predictions FILE.csv"),
            std::string::npos);
  const json solved = json_of("solve karate --predictions '" + table + "'");
  EXPECT_EQ(solved["predictions"], table);
  EXPECT_EQ(solved["output"], json());
}

TEST(Solve, WritesTheSameFileForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string graph = (folder / "g.npz").string();
  run_program("graph digits -o '" + graph + "'");
  std::vector<std::string> files;
  for (const char* threads : {"1", "2", "3", "8"}) {
    const std::string file = (folder / threads).string() + ".npz";
    EXPECT_EQ(run_program("solve '" + graph + "' --time 30 --threads " + threads + " -o '" + file + "'").code,
              0);
    files.push_back(test::file_text(file));
  }
  for (const std::string& file : files) EXPECT_EQ(file, files[0]);
}

TEST(Solve, SaysWhatCannotBe) {
  const auto error = [](const std::string& arguments) { return run_program("solve " + arguments).errors; };
  EXPECT_NE(error("digits").find("has no edges for heat to flow along"), std::string::npos);
  EXPECT_NE(error("karate --solver chebishev")
                .find("unknown solver 'chebishev' (did you mean 'chebyshev'?); choose from: chebyshev"),
            std::string::npos);
  EXPECT_NE(error("karate --solver euler --step 50").find("stability region"), std::string::npos);
  EXPECT_NE(error("karate --laplacian x").find("choose from: symmetric"), std::string::npos);
  EXPECT_NE(error("karate --reorder x").find("choose from: none, rcm, degree"), std::string::npos);
  EXPECT_NE(error("karate --time -1").find("0 or more"), std::string::npos);
  EXPECT_NE(error("karate --known nosuch.csv").find("train+validation"), std::string::npos);
  EXPECT_NE(error("grid").find("has no labels"), std::string::npos);
}

TEST(Solve, HoldsEveryLabelFixedWhereThereIsNoSplit) {
  const json solved = json_of("solve karate");
  EXPECT_EQ(solved["known"], 34);
  EXPECT_EQ(solved["known_from"], "all");
  EXPECT_EQ(solved["split"], json());
  EXPECT_NE(run_program("solve karate --split 'percent 1,1'").errors.find("no label is known"),
            std::string::npos);
}

TEST(Solve, NeverJudgesByLabelsThatAreKnown) {
  const json solved = json_of("solve karate --split 'per-class 2,5' --known train+validation");
  EXPECT_EQ(solved["validation_labels_included"], true);
  EXPECT_EQ(solved["test_labels_included"], false);
  EXPECT_EQ(solved["validation_accuracy"], json());
  EXPECT_TRUE(solved["test_accuracy"].is_number());
  const json all = json_of("solve karate --split 'per-class 2,5' --known all");
  EXPECT_EQ(all["test_labels_included"], true);
  EXPECT_EQ(all["test_accuracy"], json());
  EXPECT_EQ(run_program("sweep karate --split 'per-class 2,5' --known all").code, 1);
  const json few = json_of("sweep karate --split 'per-class 2,0' --time 1:2000:log20");
  EXPECT_EQ(few["selected_by"], "plateau with class masses");
  EXPECT_EQ(few["plateau"], few["best"]["time"]);
}

TEST(Solve, TakesKnownLabelsAndPriorsFromFiles) {
  const TemporaryFolder folder;
  const std::string known = folder.write("known.csv", "node,label\n0,Mr. Hi\n33,Officer\n").string();
  const std::string prior = folder.write("prior.csv", "class,share\nMr. Hi,1\nOfficer,3\n").string();
  const json solved =
      json_of("solve karate --time inf --known '" + known + "' --class-prior '" + prior + "'");
  EXPECT_EQ(solved["known"], 2);
  EXPECT_EQ(solved["solver"], "cg");
  EXPECT_EQ(solved["reached"], true);
  EXPECT_NE(run_program("solve karate --known '" + folder.write("k.csv", "0,nobody\n").string() + "'")
                .errors.find("k.csv:1"),
            std::string::npos);
}

TEST(Solve, ChoosesItsTimeAndSaysWhy) {
  const json few = json_of("solve karate --split 'per-class 2,5'");
  EXPECT_EQ(few["chosen"]["by"], "few-labels");
  EXPECT_EQ(few["time"], 1000);
  EXPECT_EQ(few["class_masses"], true);
  EXPECT_NE(
      run_program("solve karate --split 'per-class 2,5'")
          .output.find("  chosen     t = 1000, with class masses: 2 labels per class, fewer than 5, too few "
                       "to leave any out\n"),
      std::string::npos);
  EXPECT_EQ(json_of("solve karate --split 'per-class 5,5'")["chosen"]["tried"].size(), 4u);
  const json given = json_of("solve karate --split 'per-class 2,5' --time 5");
  EXPECT_EQ(given["chosen"], json());
  EXPECT_EQ(given["class_masses"], false);
  EXPECT_EQ(json_of("solve karate --split 'per-class 2,5' --class-prior none")["time"], 5);
}

TEST(Solve, CarriesLabelsByOtherEnergies) {
  for (const char* energy :
       {"poisson", "wnll", "properly-weighted", "amle", "p-laplacian --p 3", "game-p-laplacian --p inf"}) {
    const json solved = json_of("solve karate --split 'per-class 2,5' --energy " + std::string(energy));
    EXPECT_GT(solved["test_accuracy"], 0.7) << energy;
    EXPECT_EQ(solved["reached"], true) << energy;
    EXPECT_EQ(solved["solver"], json());
    EXPECT_EQ(solved["time"], "inf");
  }
  const json sharp = json_of("solve karate --split 'per-class 2,5' --energy p-laplacian --p 1");
  EXPECT_EQ(sharp["linear_in_labels"], false);
  EXPECT_EQ(sharp["p"], 1);
  const auto error = [](const std::string& flags) { return run_program("solve karate " + flags).errors; };
  EXPECT_EQ(error("--energy poisson --time 5"),
            "heatfront: --energy poisson goes to rest by a way of its own; it does not take --time\n");
  EXPECT_EQ(error("--energy amle --p 3"),
            "heatfront: --p 3: energy amle has no p; p-laplacian and game-p-laplacian have\n");
  EXPECT_NE(error("--energy poison").find("did you mean 'poisson'?"), std::string::npos);
}

TEST(Solve, KeepsClassesWithinTheirSizes) {
  const TemporaryFolder folder;
  const std::string sizes =
      folder.write("sizes.csv", "class,least,most\nMr. Hi,20,34\nOfficer,0,34\n").string();
  const json solved = json_of("solve karate --split 'per-class 2,5' --class-prior '" + sizes + "'");
  EXPECT_GE(solved["class_sizes"]["sizes"][0], 20);
  EXPECT_EQ(solved["class_sizes"]["at_rest"], true);
}

TEST(Solve, GivesTheSameAnswerWithItsNodesReordered) {
  const json plain = json_of("solve karate --split 'per-class 2,5'");
  for (const std::string name : {"rcm", "degree"}) {
    json reordered = json_of("solve karate --split 'per-class 2,5' --reorder " + name);
    EXPECT_EQ(reordered["reorder"], name);
    EXPECT_EQ(reordered["test_accuracy"], plain["test_accuracy"]);
    EXPECT_EQ(reordered["products"], plain["products"]);
  }
}

TEST(Solve, SaysThatThereIsNothingToTellApartWhereAllLabelsAreOfOneClass) {
  const TemporaryFolder folder;
  folder.write("d/edges.csv", "source,target\na,b\nb,c\n");
  folder.write("d/labels.csv", "node,label\na,x\nb,x\n");
  EXPECT_EQ(run_program("solve '" + (folder / "d").string() + "'").errors,
            "note: all labels are of one class, x: there is nothing to tell apart\n");
}

TEST(Sweep, DrawsTheCurveAndPicksTheBestTime) {
  const TemporaryFolder folder;
  const std::string plot = (folder / "c.svg").string();
  const json swept =
      json_of("sweep karate --split 'per-class 2,5' --time 0.1:100:log12 --plot '" + plot + "'");
  EXPECT_EQ(swept["points"].size(), 12u);
  EXPECT_TRUE(swept["best"].contains("test_accuracy"));
  EXPECT_EQ(swept["plot"], plot);
  EXPECT_EQ(swept["output"], json());
  EXPECT_TRUE(test::file_text(plot).starts_with("<svg "));
  EXPECT_NE(run_program("sweep karate --split 'per-class 2,5' --draw").output.find("best on validation: t ="),
            std::string::npos);
}

TEST(Sweep, PointsToLongerTimesUnlessTheCurveHasComeToRest) {
  const auto text = [](const std::string& times) {
    const Outcome outcome = run_program("sweep karate --split 'per-class 1,5' --time " + times);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome.output;
  };
  EXPECT_NE(text("0.1,0.2").find("longer ones may do better, as in --time 0.2:20:log30"), std::string::npos)
      << text("0.1,0.2");
  EXPECT_EQ(text("1000,10000,100000").find("longest time"), std::string::npos);
  EXPECT_NE(run_program("sweep --help").output.find("else all"), std::string::npos);
  EXPECT_NE(run_program("solve --help").output.find("else all"), std::string::npos);
}

// club has four labels, and no split.
TEST_F(FewLabels, AreAllHeldBySweepWhichThenShowsNoAccuracy) {
  const json swept = json_of("sweep " + club() + " --time 1:10000:log20");
  EXPECT_EQ(swept["split"], json());
  EXPECT_EQ(swept["known"], 4);
  const std::string text = run_program("sweep " + club() + " --time 1:10000:log20").output;
  EXPECT_EQ(text.find("–  "), std::string::npos) << text;
  EXPECT_EQ(text.find("validation"), std::string::npos) << text;
  EXPECT_NE(text.find("every label is held, so none tells which time is best"), std::string::npos) << text;
  EXPECT_NE(run_program("sweep " + club() + " --draw").output.find("nodes that change class of "),
            std::string::npos);
}

TEST_F(FewLabels, AreSolvedWithoutASplitThatNobodyAskedFor) {
  const std::string known = folder_.write("known.csv", "node,label\nann,chess\n").string();
  for (const std::string& flags : {std::string(" --known all"), " --known '" + known + "'", std::string()}) {
    const std::string text = run_program("solve " + club() + flags).output;
    EXPECT_NE(text.find(": no split, "), std::string::npos) << text;
    EXPECT_EQ(text.find("accuracy"), std::string::npos) << text;
  }
  EXPECT_NE(run_program("solve " + club() + " --known train").errors.find("split percent 40,40"),
            std::string::npos);
}

TEST_F(FewLabels, OfOnePerClassAreCountedAsOne) {
  const std::string known = folder_.write("k.csv", "node,label\nann,chess\nhana,tennis\n").string();
  const std::string text = run_program("solve " + club() + " --known '" + known + "'").output;
  EXPECT_NE(text.find("1 label per class, fewer than 5, too few to leave any out"), std::string::npos)
      << text;
  EXPECT_NE(text.find("class masses: each class gets heat in proportion to its share"), std::string::npos);
}

TEST(Sweep, SaysThatAllTimesAreEquallyGoodAndDrawsNothingAboveAHundredPercent) {
  const TemporaryFolder folder;
  std::string edges, labels = "node,label\n";
  for (int u = 0; u < 6; ++u) {
    labels += fmt::format("a{0},x\nb{0},y\n", u);
    edges += fmt::format("a{},a{}\nb{},b{}\n", u, (u + 1) % 6, u, (u + 1) % 6);
  }
  folder.write("d/edges.csv", edges);
  folder.write("d/labels.csv", labels);
  const std::string data = "'" + (folder / "d").string() + "'";
  const std::string text = run_program("sweep " + data + " --time 1,2,5 --draw").output;
  EXPECT_NE(text.find("all times are equally good, with 100.00 % on validation and 100.00 % on test"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("longer ones"), std::string::npos) << text;
  EXPECT_NE(text.find("    100 % |"), std::string::npos) << text;
  EXPECT_EQ(text.find("100.5"), std::string::npos) << text;
}

TEST(Sweep, LeavesFieldsEmptyWhereThereAreNoTestNodes) {
  const TemporaryFolder folder;
  const std::string csv = (folder / "c.csv").string(), plot = (folder / "c.svg").string();
  const std::string sweep =
      "sweep karate --split 'per-class 9,9' --time 1,5 -o '" + csv + "' --plot '" + plot + "'";
  EXPECT_TRUE(json_of(sweep)["points"][0]["test_accuracy"].is_null());
  const Outcome outcome = run_program(sweep);
  for (const std::string& text : {outcome.output, test::file_text(csv), test::file_text(plot)})
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_NE(outcome.output.find("– on test"), std::string::npos) << outcome.output;
  EXPECT_NE(test::file_text(csv).find(",,0."), std::string::npos) << test::file_text(csv);
}

}  // namespace
}  // namespace heatfront
