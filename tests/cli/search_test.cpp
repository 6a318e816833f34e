// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "support/program_fixture.h"
#include "support/running_program.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::file_text;
using test::Outcome;
using test::run_program;

constexpr const char* kSearch = "search blocks:blocks=3,size=40 --split 'per-class 3,5' --set epochs=10 ";

using SearchCommand = test::ProgramFixture;

TEST_F(SearchCommand, WritesAPresetThatTrainsToWhatItSaid) {
  const json found = json_of(kSearch + std::string("--trials 6 --seeds 3 -o ") + path("best.preset"));
  const std::string preset = file_text(path("best.preset"));
  EXPECT_TRUE(preset.starts_with("# Found by `heatfront search blocks")) << preset;
  EXPECT_NE(preset.find("--split \"per-class 3,5\" --set epochs=10`"), std::string::npos) << preset;
  const json trained = json_of("train blocks:blocks=3,size=40 --split 'per-class 3,5' --seed 3 --preset " +
                               path("best.preset"));
  EXPECT_EQ(trained["validation_accuracy"], found["best"]["validation_accuracy"]);
  EXPECT_EQ(trained["test_accuracy"], found["test_accuracy"]);
  EXPECT_EQ(trained["epochs"], 10);
}

TEST_F(SearchCommand, TellsMachinesAllTrialsAndOneTestAccuracy) {
  const json found = json_of(kSearch + std::string("--trials 6 --seeds 0-1"));
  EXPECT_EQ(found["trials"], 6);
  EXPECT_EQ(found["ranking"].size(), 6u);
  EXPECT_EQ(found["ranking"][0], found["best"]);
  EXPECT_EQ(found["seeds"], (std::vector<int>{0, 1}));
  EXPECT_TRUE(found["test_accuracy"].is_number());
  EXPECT_EQ(found["ranking"].dump().find("test"), std::string::npos);
  EXPECT_EQ(found["best"]["settings"]["epochs"], "10");
}

TEST_F(SearchCommand, FindsTheSameWhenKilledAndStartedAgainAndWithOtherThreads) {
  const std::string flags = std::string(kSearch) + "--trials 9 --seeds 0-2 --set epochs=40 -o ";
  json_of(flags + path("whole.preset") + " --threads 1");
  for (const int lines : {2, 5, 9}) {
    test::RunningProgram killed(flags + path("killed.preset"));
    ASSERT_TRUE(killed.wait_until(
        [&] { return std::ranges::count(file_text(path("killed.record.jsonl")), '\n') >= lines; }));
  }
  const json found = json_of(flags + path("killed.preset") + " --threads 2");
  EXPECT_EQ(file_text(path("killed.preset")), file_text(path("whole.preset")));
  EXPECT_EQ(json_of(flags + path("killed.preset"))["runs_before"], found["runs"]);
}

TEST_F(SearchCommand, DoesWithoutTestNodesAndGoesOnWithItsRecord) {
  const std::string search =
      "search blocks:blocks=3,size=40 --split 'per-class 10,30' --set epochs=3 --trials 3 --seeds 0-1 -o " +
      path("best.preset");
  for (int round = 0; round < 2; ++round) {
    const Outcome outcome = run_program(search);
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find("  test       –: the split has no test nodes\n"), std::string::npos)
        << outcome.output;
    EXPECT_EQ(outcome.output.find("nan ±"), std::string::npos) << outcome.output;
  }
  EXPECT_NE(file_text(path("best.preset")).find("# The split has no test nodes. "), std::string::npos);
  EXPECT_TRUE(json_of(search)["test_accuracy"].is_null());
}

TEST_F(SearchCommand, SaysHowToGoOnWhenInterrupted) {
  const Outcome outcome =
      test::interrupted("search karate --set epochs=1000000000 --set patience=0 -o " + path("k.preset"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.errors, "heatfront: interrupted; the same command goes on with what " +
                                path("k.record.jsonl") + " has\n");
  EXPECT_FALSE(std::filesystem::exists(path("k.preset")));
}

TEST_F(SearchCommand, TakesASpaceAPresetAndARecordOfOnesOwn) {
  folder_.write("my.space", "time = uniform 2 4\nhidden = choice 4\n");
  folder_.write("base.preset", "epochs = 5\nhidden = 16\nsolver = krylov\n");
  const json found =
      json_of("search karate --split 'per-class 3,5' --trials 3 --seeds 0 --space " + path("my.space") +
              " --preset " + path("base.preset") + " --record " + path("r.jsonl") + " --time-budget 1h");
  EXPECT_EQ(found["best"]["settings"]["epochs"], "5");
  EXPECT_EQ(found["best"]["settings"]["hidden"], "4");
  EXPECT_EQ(found["best"]["settings"]["solver"], "krylov");
  EXPECT_EQ(std::ranges::count(file_text(path("r.jsonl")), '\n'), 1 + 3 + 1);
}

TEST_F(SearchCommand, SaysThatThereAreNoLabelsOrTooFew) {
  EXPECT_EQ(refusal("search grid"),
            "heatfront: grid has no labels to learn from; give some nodes a label (in a folder: labels.csv, "
            "of node,label)\n");
  folder_.write("few/edges.csv", "a,b\nb,c\n");
  folder_.write("few/labels.csv", "a,x\nc,y\n");
  EXPECT_NE(refusal("search " + file("few")).find("\"per-class 1,1\", or give more labels"),
            std::string::npos);
}

TEST_F(SearchCommand, RefusesBeforeItBegins) {
  EXPECT_EQ(refusal("search karate -o best.txt"), "heatfront: best.txt: a preset's name ends in .preset\n");
  EXPECT_NE(refusal("search karate -o /no/such/folder/a.preset").find("there is no folder"),
            std::string::npos);
  EXPECT_NE(refusal("search karate --set tme=3").find("unknown option 'tme'"), std::string::npos);
  EXPECT_NE(refusal("search karate --model heat").find("unknown model 'heat'"), std::string::npos);
  EXPECT_NE(refusal("search karate --seeds x").find("write them as 0-4, 7 or 0,3,5-7"), std::string::npos);
  EXPECT_NE(refusal("search karate --time-budget 5").find("write it as 90s, 10m or 1.5h"), std::string::npos);
}

}  // namespace
}  // namespace heatfront
