// SPDX-License-Identifier: MIT
// predict, label and explain on a model that was made by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "heatfront_io/formats/model_file.h"
#include "support/program_fixture.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;

class ModelCommands : public test::ProgramFixture {
 protected:
  ModelCommands() { write_model(test::karate_model(), folder_ / "karate.hf"); }

  Outcome run(const std::string& command, const std::string& flags) const {
    return run_program(command + " " + file("karate.hf") + " " + flags);
  }
  json json_of(const std::string& command, const std::string& flags) const {
    return ProgramFixture::json_of(command + " " + file("karate.hf") + " " + flags);
  }
  std::string error(const std::string& command, const std::string& flags) const {
    const Outcome outcome = run(command, flags);
    EXPECT_EQ(outcome.code, 1) << flags;
    return outcome.errors;
  }
};

TEST_F(ModelCommands, PredictEveryNodeWithItsTopClasses) {
  const json predicted = json_of("predict", "--top 9 -o " + file("p.csv") + " --data karate");
  EXPECT_EQ(predicted["known"], 4);
  EXPECT_EQ(predicted["validation_labels_included"], false);
  EXPECT_TRUE(predicted["test_accuracy"].is_number());
  const std::string text = test::file_text(folder_ / "p.csv");
  EXPECT_TRUE(text.starts_with("node,class,confidence,margin,status,class_2,confidence_2\n")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 35);
  EXPECT_NE(text.find(",known,,\n"), std::string::npos);
}

TEST_F(ModelCommands, PredictSaysHowToWriteTheTable) {
  const Outcome outcome = run("predict", "");
  EXPECT_NE(outcome.output.find("-o FILE.csv"), std::string::npos);
  EXPECT_NE(outcome.output.find("4 known labels, 30 more held back"), std::string::npos) << outcome.output;
  EXPECT_EQ(test::files_in(folder_.path()), 1u);
}

TEST_F(ModelCommands, RefuseAnotherGraphAndWhatIsNoModel) {
  EXPECT_NE(error("predict", "--data grid").find("trained on karate"), std::string::npos);
  EXPECT_NE(error("predict", "--top 0").find("1 or more"), std::string::npos);
  EXPECT_EQ(run_program("predict nosuch.hf").code, 1);
  EXPECT_NE(run_program("predict cora").errors.find("`heatfront train cora -o cora.hf` makes one of it"),
            std::string::npos);
  EXPECT_NE(run_program("explain " + folder_.path().string() + " 3").errors.find("is a folder"),
            std::string::npos);
}

TEST_F(ModelCommands, LabelSaysWhatMovedAndSavesNothingUnlessAsked) {
  const std::string before = test::file_text(folder_ / "karate.hf");
  const Outcome outcome = run("label", "--set '9=Mr. Hi' --set 13=0");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("2 new, 0 changed, 0 removed: 9 = Mr. Hi, 13 = "), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("not saved: -o FILE keeps it"), std::string::npos);
  EXPECT_EQ(test::file_text(folder_ / "karate.hf"), before);
}

TEST_F(ModelCommands, LabelKeepsItsChangesInTheModelAndUndoesThem) {
  const std::string before = test::file_text(folder_ / "karate.hf");
  json_of("label", "--set 9=0 --set 13=1 -o " + file("karate.hf"));
  EXPECT_EQ(json_of("predict", "")["known"], 6);
  const json second = json_of("label", "--unset 9 -o " + file("karate.hf"));
  EXPECT_EQ(second["labels"]["removed"], 1);
  EXPECT_EQ(json_of("label", "--undo -o " + file("karate.hf"))["labels"]["added"], 1);
  EXPECT_EQ(json_of("label", "--undo -o " + file("karate.hf"))["known"], 4);
  EXPECT_EQ(test::file_text(folder_ / "karate.hf"), before);
  EXPECT_NE(error("label", "--undo").find("nothing to undo"), std::string::npos);
}

TEST_F(ModelCommands, LabelMarksNumbersWithSomeValidationLabelsAsSuch) {
  const NodeId u = test::karate_model().split().validation[0];
  const Outcome labelled = run("label", "--set " + std::to_string(u) + "=0");
  EXPECT_NE(labelled.output.find(": 1 of "), std::string::npos) << labelled.output;
}

TEST_F(ModelCommands, LabelMarksNumbersWithValidationLabelsEverywhere) {
  const json labelled = json_of("label", "--include-validation -o " + file("v.hf"));
  EXPECT_EQ(labelled["labels"]["added"], 10);
  EXPECT_EQ(labelled["validation_labels_included"], true);
  EXPECT_EQ(labelled["test_labels_included"], false);
  EXPECT_EQ(labelled["after"]["validation_accuracy"], json());
  EXPECT_EQ(labelled["judged"]["test"], 20);
  EXPECT_TRUE(labelled["before"]["test_accuracy"].is_number());
  EXPECT_TRUE(test::json_of("label " + file("v.hf") + " --undo")["now"]["validation_accuracy"].is_number());
  const Outcome undone = run_program("label " + file("v.hf") + " --undo");
  EXPECT_NE(undone.output.find("(before: validation labels included)"), std::string::npos) << undone.output;
  EXPECT_NE(run_program("predict " + file("v.hf")).output.find("validation labels included"),
            std::string::npos);
  EXPECT_NE(run_program("label " + file("v.hf") + " --suggest 2").output.find("validation labels included"),
            std::string::npos);
}

TEST_F(ModelCommands, LabelSaysWhatTakingALabelAwayDid) {
  json_of("label", "--set '1=Officer' -o " + file("told.hf"));
  const std::string told = run("label", "--set '1=Officer'").output;
  EXPECT_NE(told.find("besides 1 whose own label was set\n"), std::string::npos) << told;
  const std::string undone = run_program("label " + file("told.hf") + " --undo").output;
  EXPECT_NE(undone.find("besides 1 whose own label was taken away\n"), std::string::npos) << undone;
  EXPECT_EQ(undone.find("by its own label"), std::string::npos) << undone;
}

TEST_F(ModelCommands, LabelJudgesAgainByLabelsThatWereTakenAway) {
  std::string all = "node,label\n";
  const Dataset club = test::karate_model().data;
  for (NodeId u = 0; u < club.nodes(); ++u)
    all += club.node_name(u) + "," + club.class_names[at(club.labels[at(u)])] + "\n";
  folder_.write("all.csv", all);
  json_of("label", "--labels " + file("all.csv") + " -o " + file("all.hf"));
  const std::string undone = run_program("label " + file("all.hf") + " --undo").output;
  EXPECT_NE(undone.find("cannot be compared: every validation and test node is labelled before or"),
            std::string::npos)
      << undone;
  EXPECT_NE(undone.find(", on 10 and 20 nodes whose label is not known\n"), std::string::npos) << undone;
}

TEST_F(ModelCommands, InfoSaysThatItIsAModel) {
  const Outcome info = run_program("info " + file("karate.hf"));
  EXPECT_NE(info.output.find("this is a model, of which graph, labels and split are read here; see "
                             "`heatfront predict`"),
            std::string::npos)
      << info.output;
  EXPECT_EQ(info.output.find("graph_fingerprint"), std::string::npos);
  EXPECT_EQ(info.errors, "");
}

TEST_F(ModelCommands, LabelTakesFilesAndClassesUnseenInTraining) {
  const std::string labels = folder_.write("l.csv", "node,label\n9,Officer\n16,Rival\n").string();
  EXPECT_NE(error("label", "--labels '" + labels + "'").find("l.csv:3"), std::string::npos);
  const json labelled = json_of("label", "--new-class Rival --labels '" + labels + "' -o " + file("r.hf"));
  EXPECT_EQ(labelled["labels"]["added"], 2);
  bool seen = false;
  for (const json& change : labelled["changes"])
    seen = seen || (change["node"] == "16" && change["after"] == "Rival");
  EXPECT_TRUE(seen);
  const json explained = json::parse(run_program("explain " + file("r.hf") + " 5 --json").output);
  EXPECT_TRUE(explained["temperatures"].contains("Rival"));
}

TEST_F(ModelCommands, LabelSaysWhatIsWrongInOneLine) {
  EXPECT_EQ(error("label", "--set 9=Offcer"),
            "heatfront: karate: there is no class 'Offcer' (did you mean 'Officer'?); the classes are Mr. "
            "Hi, Officer; --new-class Offcer "
            "adds it\n");
  EXPECT_NE(error("label", "--set 34=0").find("nodes are 0 to 33"), std::string::npos);
  EXPECT_NE(error("label", "--set 9").find("NODE=CLASS"), std::string::npos);
  EXPECT_EQ(error("label", "--set 9="),
            "heatfront: --set 9=: no class is given; --unset 9 takes the label away\n");
  EXPECT_EQ(error("label", "--unset 9"), "heatfront: --unset 9: it has no known label to take away\n");
  folder_.write("golf.csv", "node,label\n9,golf\n");
  EXPECT_NE(error("label", "--labels " + file("golf.csv"))
                .find("'golf' is not a class; the classes are Mr. Hi, Officer; --new-class NAME adds one"),
            std::string::npos);
  EXPECT_NE(error("label", "").find("nothing to do"), std::string::npos);
  EXPECT_NE(error("label", "--suggest 2 --suggest-by x").find("choose from: change, margin"),
            std::string::npos);
}

TEST_F(ModelCommands, LabelSuggestsWithoutChangingAnything) {
  const json suggested = json_of("label", "--suggest 3");
  EXPECT_GE(suggested["suggestions"].size(), 1u);
  EXPECT_LE(suggested["suggestions"].size(), 3u);
  EXPECT_TRUE(suggested["suggestions"][0]["expected_change"].is_number());
  EXPECT_FALSE(suggested.contains("changes"));
  EXPECT_EQ(suggested["suggestions"][0]["held_back"], true);
  EXPECT_NE(run("label", "--suggest 3").output.find("a label in the data, which the split holds back"),
            std::string::npos);
  EXPECT_EQ(json_of("label", "--suggest 3 --suggest-by margin")["suggestions"][0]["expected_change"], json());
}

TEST_F(ModelCommands, ExplainWhatCameFromLabelsAndWhatFromTheFront) {
  const json explained = json_of("explain", "9");
  for (const auto& [name, temperature] : explained["temperatures"].items()) {
    EXPECT_NEAR(temperature.get<double>(),
                explained["from_labels"][name].get<double>() + explained["from_front"][name].get<double>(),
                1e-5);
  }
  EXPECT_LT(explained["residual"], 1e-5);
  EXPECT_EQ(explained["times"].size(), 41u);
  EXPECT_EQ(explained["without"].size(), 3u);
  const std::string text = run("explain", "9").output;
  for (const char* part : {"Its own front", "It leads", "known label", "front of", "temperature over time",
                           "Without the label of", "all parts add up"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST_F(ModelCommands, ExplainThatAKnownLabelIsItsOwnReason) {
  const std::string known = std::to_string(test::karate_model().known.nodes[0]);
  EXPECT_NE(run("explain", known).output.find("held fixed"), std::string::npos);
  EXPECT_NE(error("explain", "nobody").find("there is no node 'nobody'"), std::string::npos);
}

}  // namespace
}  // namespace heatfront
