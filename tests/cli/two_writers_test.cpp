// SPDX-License-Identifier: MIT
// Programs that write the same file at the same time.
#include <gtest/gtest.h>

#include <thread>

#include "support/program_fixture.h"
#include "support/running_program.h"

namespace heatfront {
namespace {

using test::Outcome;
using test::run_program;

class TwoWriters : public test::ProgramFixture {
 protected:
  // All at once.
  static std::vector<Outcome> run_all(const std::vector<std::string>& commands) {
    std::vector<Outcome> outcomes(commands.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < commands.size(); ++i)
      threads.emplace_back([&, i] { outcomes[i] = run_program(commands[i]); });
    for (std::thread& thread : threads) thread.join();
    return outcomes;
  }
};

TEST_F(TwoWriters, OfLabelsLoseNone) {
  ASSERT_EQ(run_program("train karate --split \"per-class 1,1\" --set epochs=2 -o " + file("m.hf")).code, 0);
  const int before = json_of("predict " + file("m.hf"))["known"];
  std::vector<std::string> commands;
  for (const char* node : {"5", "10", "15", "20", "25", "30"})
    commands.push_back(std::string("label ") + file("m.hf") + " --set " + node + "=0 -o " + file("m.hf"));
  for (const Outcome& outcome : run_all(commands)) EXPECT_EQ(outcome.code, 0) << outcome.errors;
  int known = json_of("predict " + file("m.hf"))["known"];
  run_program("label " + file("m.hf") +
              " --set 5=0 --set 10=0 --set 15=0 --set 20=0 --set 25=0 --set 30=0 -o " + file("m.hf"));
  EXPECT_EQ(known, json_of("predict " + file("m.hf"))["known"].get<int>());
  EXPECT_GT(known, before);
  EXPECT_EQ(test::files_in(folder_.path()), 1u);
}

TEST_F(TwoWriters, OfATrainedModelAndALabelLeaveOneOfThemOnTheOther) {
  ASSERT_EQ(run_program("train karate --set epochs=2 -o " + file("m.hf")).code, 0);
  const std::vector<Outcome> outcomes = run_all({"train karate --set epochs=3 -o " + file("m.hf"),
                                                 "label " + file("m.hf") + " --set 20=0 -o " + file("m.hf")});
  EXPECT_EQ(outcomes[1].code, 0) << outcomes[1].errors;
  const int known = json_of("predict " + file("m.hf"))["known"];
  if (outcomes[0].code == 0) {
    EXPECT_TRUE(known == 12 || known == 13);
  } else {  // the label came first, and is kept
    EXPECT_NE(outcomes[0].errors.find("holds 1 label set by hand"), std::string::npos) << outcomes[0].errors;
    EXPECT_EQ(known, 13);
  }
}

TEST_F(TwoWriters, OfOneRecordAreRefused) {
  const std::string slow =
      "compare karate --choose presets --models \"label-propagation, gcn epochs=1000000 patience=0\" --runs "
      "2 -o " +
      file("c");
  const test::RunningProgram first(slow);
  ASSERT_TRUE(first.wait_until([&] { return !test::file_text(path("c/runs.jsonl")).empty(); }));
  EXPECT_NE(refusal(slow).find("c/runs.jsonl: another program is writing to it"), std::string::npos);
}

}  // namespace
}  // namespace heatfront
