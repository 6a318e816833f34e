// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "support/precision.h"
#include "support/program_fixture.h"
#include "support/running_program.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::file_text;
using test::Outcome;
using test::run_program;

constexpr const char* kBlocks = "blocks:blocks=3,size=60 --split 'per-class 5,10'";
constexpr const char* kEndless = "karate --set epochs=1000000000 --set patience=0";

class Train : public test::ProgramFixture {
 protected:
  static std::string refusal(const std::string& arguments) {
    return ProgramFixture::refusal("train " + arguments);
  }
};

TEST_F(Train, WritesAModelThatPredictsAsWellAsItSaid) {
  for (const char* flags : {"", " --learn-weights", " --set label_scale=2 --set clamped_lambda=1.5"}) {
    const json trained = json_of("train " + std::string(kBlocks) + flags + " -o " + file("m.hf"));
    const json predicted = json_of("predict " + file("m.hf"));
    for (const char* key : {"test_accuracy", "validation_accuracy"})
      EXPECT_EQ(predicted[key], trained[key]) << flags;
    EXPECT_EQ(predicted["split"], trained["split"]);
    EXPECT_EQ(trained["output"], path("m.hf"));
  }
}

TEST_F(Train, TellsMachinesAllThatAResultNeeds) {
  const json trained = json_of("train " + std::string(kBlocks) + " --seed 3 --set epochs=30 --learn-weights");
  for (const char* key :
       {"dataset", "split", "seed", "model", "preset", "options", "parameters", "epochs", "best_epoch",
        "train_accuracy", "validation_accuracy", "test_accuracy", "seconds", "products", "selected_by"}) {
    EXPECT_TRUE(trained.contains(key)) << key;
  }
  EXPECT_EQ(trained["model"], "heat-front");
  EXPECT_EQ(trained["seed"], 3);
  EXPECT_EQ(trained["split"]["train"], 15);
  EXPECT_EQ(trained["epochs"], 30);
  EXPECT_EQ(trained["interrupted"], false);
  EXPECT_EQ(trained["selected_by"], "validation-accuracy");
  for (const char* key : {"load", "train", "epoch"}) EXPECT_TRUE(trained["seconds"][key].is_number()) << key;
  EXPECT_FALSE(trained["seconds"].contains("phases"));
  const auto& options = trained["options"];
  EXPECT_NE(std::ranges::find(options, "edge_weights = free"), options.end());
  EXPECT_NE(std::ranges::find(options, "epochs = 30"), options.end());
}

TEST_F(Train, SaysWhereTheTimeGoesWhenAsked) {
  const json phases = json_of("train karate --set epochs=5 --profile")["seconds"]["phases"];
  for (const char* phase : {"forward", "flow", "backward", "optimiser", "judge_network", "judge_flow"})
    EXPECT_TRUE(phases[phase].is_number()) << phase;
}

TEST_F(Train, WritesTheSameBytesForAnyNumberOfThreads) {
  for (const char* threads : {"1", "2", "3"}) {
    json_of("train " + std::string(kBlocks) + " --set epochs=20 --learn-weights --threads " + threads +
            " -o " + file(threads));
    EXPECT_TRUE(file_text(path(threads)) == file_text(path("1"))) << threads << " threads";
  }
}

TEST_F(Train, WritesALineOfHistoryForEveryEpoch) {
  json_of("train karate --set epochs=7 --history " + file("h.csv"));
  const std::string text = file_text(path("h.csv"));
  EXPECT_TRUE(
      text.starts_with("epoch,loss,validation_loss,train_accuracy,validation_accuracy,test_accuracy\n1,"))
      << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 8);
  EXPECT_EQ(test::files_in(folder_.path()), 1u) << "without -o there is no model";
}

TEST_F(Train, SaysHowLongTheFlowAloneRan) {
  const std::string text = run_program("train karate --set epochs=1 --set time=3").output;
  EXPECT_NE(text.find("  flow alone validation "), std::string::npos) << text;
  EXPECT_NE(text.find(" (t = 3, nothing learned)"), std::string::npos) << text;
  EXPECT_NE(text.find(" parameters, 1 epoch in "), std::string::npos) << text;
}

TEST_F(Train, LeavesFieldsEmptyWhereThereAreNoNodesToJudgeBy) {
  const json trained = json_of("train karate --split 'percent 60,0' --set epochs=2 --history " +
                               file("h.csv") + " -o " + file("m.hf"));
  EXPECT_TRUE(trained["validation_accuracy"].is_null());
  const std::string history = file_text(path("h.csv"));
  EXPECT_EQ(history.find("nan"), std::string::npos) << history;
  EXPECT_NE(history.find(",,1,,0."), std::string::npos) << history;
  EXPECT_NE(run_program("predict " + file("m.hf")).output.find("validation –, test "), std::string::npos);
  const Outcome judged = run_program("evaluate " + file("m.hf") + " --report " + file("m.html"));
  EXPECT_EQ(judged.output.find(" nan"), std::string::npos) << judged.output;
  EXPECT_EQ(file_text(path("m.html")).find("nan"), std::string::npos);
}

TEST_F(Train, LearnsWithoutFeaturesFromWhoTheNeighboursAre) {
  const json trained = json_of("train karate --split 'per-class 2,5'");
  EXPECT_GT(trained["test_accuracy"], 0.8);
  EXPECT_EQ(trained["preset"], "none");
}

TEST_F(Train, TakesSettingsFromAFileAndThenFromFlags) {
  folder_.write("my.preset", "# mine\nepochs = 3\nhidden = 4,5\ndropout = 0,0.5\n");
  const json trained = json_of("train karate --preset " + file("my.preset") + " --set epochs=2");
  EXPECT_EQ(trained["preset"], path("my.preset"));
  EXPECT_EQ(trained["epochs"], 2);
  EXPECT_EQ(trained["parameters"], 34 * 4 + 4 + 4 * 5 + 5 + 5 * 2 + 2);
  folder_.write("wrong.preset", "epochs = 3\n\nhiden = 4\n");
  EXPECT_TRUE(refusal("karate --preset " + file("wrong.preset"))
                  .starts_with("heatfront: " + path("wrong.preset") + ":3: unknown option 'hiden'"));
}

TEST_F(Train, ListsAllSettingsWithTheirDefaultsInItsHelp) {
  const std::string help = run_program("train --help").output;
  for (const char* part :
       {"Settings of heat-front [", "\n  epochs ", "[300; 1 or more]\n", "\n  weight_spread "})
    EXPECT_NE(help.find(part), std::string::npos) << part << "\n" << help;
}

TEST_F(Train, ListsTheSettingsThatThereAreWhenOneIsMisspelt) {
  const std::string epoch = refusal(std::string(kEndless) + " --set epoch=3");
  EXPECT_TRUE(
      epoch.starts_with("heatfront: --set epoch=3: unknown option 'epoch' (did you mean 'epochs'?); choose "
                        "from: epochs, patience,"))
      << epoch;
  EXPECT_NE(refusal("karate --set optimiser=adm").find("must be adam, rmsprop or sgd"), std::string::npos);
  EXPECT_NE(refusal("karate --solver chebishev").find("chebyshev"), std::string::npos);
}

TEST_F(Train, TrainsTheModelAskedForWithTheFlagsThatStandForItsSettings) {
  const json gcn = json_of("train karate --model gcn --set epochs=3");
  EXPECT_EQ(gcn["model"], "gcn");
  EXPECT_EQ(gcn["parameters"], 34 * 64 + 64 + 64 * 2 + 2);
  const auto has = [](const json& trained, const char* option) {
    return std::ranges::find(trained["options"], option) != trained["options"].end();
  };
  EXPECT_TRUE(has(json_of("train karate --model label-propagation --variant zhou"), "variant = zhou"));
  EXPECT_TRUE(
      has(json_of("train karate --model correct-and-smooth --base gcn --set epochs=3"), "base = gcn"));
  EXPECT_NE(refusal("karate --model gnc").find("choose from: heat-front, linear-front, flow-alone, gcn,"),
            std::string::npos);
  EXPECT_NE(
      refusal("karate --model gcn --learn-weights").find("--learn-weights is for --model heat-front; gcn"),
      std::string::npos);
}

TEST_F(Train, ListsThePresetsThatThereAreWhenOneIsMisspelt) {
  EXPECT_NE(refusal("karate --preset corra").find("choose from: citeseer-best, citeseer, cora-best, cora,"),
            std::string::npos);
}

TEST_F(Train, JoinsPointsWithoutEdgesToTheirNeighboursAndSaysSo) {
  std::string points = "node,x\n", labels = "node,label\n";
  for (int i = 0; i < 24; ++i) {
    const std::string name = "p" + std::to_string(i);
    points += name + "," + std::to_string(i < 12 ? i : 100 + i) + "\n";
    if (i % 2 == 0) labels += name + (i < 12 ? ",low\n" : ",high\n");
  }
  folder_.write("points/features.csv", points);
  folder_.write("points/labels.csv", labels);
  const Outcome outcome = run_program("train " + file("points") + " --quick -o " + file("p.hf"));
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("points has no edges: every point is joined to its 10 nearest"),
            std::string::npos)
      << outcome.errors;
}

TEST_F(Train, RefusesAFileThatItCannotWriteBeforeItTrains) {
  for (const char* flag : {"-o", "--history"}) {
    EXPECT_NE(refusal(std::string(kEndless) + " " + flag + " " + file("nosuch/m")).find("there is no folder"),
              std::string::npos);
    EXPECT_NE(refusal(std::string(kEndless) + " " + flag + " " + file("")).find("it is a folder"),
              std::string::npos);
  }
  EXPECT_EQ(test::files_in(folder_.path()), 0u);
}

TEST_F(Train, NeverWritesAModelOverDataNorPredictionsOverAModel) {
  folder_.write("mine.csv", "a,b\n");
  EXPECT_NE(refusal(std::string(kEndless) + " -o " + file("mine.csv"))
                .find("exists already and is something else, which a model does not replace"),
            std::string::npos);
  json_of("train karate --set epochs=2 -o " + file("m.hf"));
  json_of("train karate --set epochs=3 -o " + file("m.hf"));
  const std::string before = file_text(path("m.hf"));
  const Outcome outcome = run_program("predict " + file("m.hf") + " -o " + file("m.hf"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(
      outcome.errors.find("exists already and is a model, which a table of predictions does not replace"),
      std::string::npos);
  EXPECT_TRUE(file_text(path("m.hf")) == before);
}

TEST_F(Train, KeepsTheBestSoFarWhenInterrupted) {
  const Outcome outcome = test::interrupted("train " + std::string(kEndless) + " --json -o " + file("m.hf"));
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const json trained = json::parse(outcome.output, nullptr, false);
  EXPECT_EQ(trained["interrupted"], true);
  EXPECT_EQ(json_of("predict " + file("m.hf"))["test_accuracy"], trained["test_accuracy"]);
  EXPECT_EQ(test::files_in(folder_.path()), 1u);
}

TEST_F(Train, SaysThatItWasInterrupted) {
  const Outcome outcome = test::interrupted("train " + std::string(kEndless));
  EXPECT_NE(outcome.output.find("interrupted: the best so far is kept"), std::string::npos) << outcome.output;
}

TEST_F(Train, EndsInALineOrInNumbersWhereFeaturesAreHuge) {
  if (test::kDouble)
    GTEST_SKIP() << "SKIPPED: files hold single precision, which is too small for such fronts";
  std::string features = "node,x,y\n";
  for (int u = 0; u < 34; ++u)
    features += std::to_string(u) + (u % 2 == 0 ? ",1e30,1e30\n" : ",-1e30,1e29\n");
  run_program("convert karate " + file("k"));
  folder_.write("k/features.csv", features);
  for (const char* model :
       {"heat-front", "gcn", "gat", "monet", "mlp", "appnp", "cgnn", "correct-and-smooth"}) {
    for (const char* how : {"as-given", "standardised"}) {
      std::filesystem::remove(path("m.hf"));
      const Outcome outcome = run_program("train " + file("k") + " --set epochs=20 --set features=" + how +
                                          " --model " + model + " -o " + file("m.hf"));
      if (outcome.code == 0) {
        ASSERT_EQ(run_program("predict " + file("m.hf") + " -o " + file("p.csv")).code, 0) << model;
        EXPECT_EQ(test::file_text(path("p.csv")).find("nan"), std::string::npos) << model << ", " << how;
      } else {
        EXPECT_NE(outcome.errors.find("the loss is no longer finite"), std::string::npos) << outcome.errors;
        EXPECT_FALSE(std::filesystem::exists(path("m.hf"))) << model;
      }
    }
  }
}

}  // namespace
}  // namespace heatfront
