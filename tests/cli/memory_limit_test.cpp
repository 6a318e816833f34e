// SPDX-License-Identifier: MIT
// With less and less memory (ulimit -v): it is done, or one line says that there is not enough.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/program_fixture.h"
#include "support/sanitized.h"

namespace heatfront {
namespace {

using test::Outcome;
using test::run_program;

class MemoryLimit : public test::ProgramFixture {
 protected:
  void SetUp() override {
    if (test::kSanitized) GTEST_SKIP() << "SKIPPED: a sanitizer takes more addresses than any limit leaves";
  }

  static Outcome with_limit(int megabytes, const std::string& command) {
    return run_program(command, "ulimit -v " + std::to_string(megabytes * 1024) + "; " + test::kGuard);
  }
};

TEST_F(MemoryLimit, EndsInOneLineOrInSuccess) {
  int failed = 0, done = 0;
  for (const int megabytes : {40, 45, 50, 55, 60, 70, 80, 100, 130, 160, 200, 320, 700, 1500}) {
    for (const char* threads : {"1", "8"}) {
      const Outcome outcome =
          with_limit(megabytes, "train blocks:size=3000,inside=0.01,across=0.001 --set epochs=1 --threads " +
                                    std::string(threads) + " -o " + file("m.hf"));
      const std::string where = std::to_string(megabytes) + " MB: ";
      if (outcome.code == 0) {
        ++done;
        continue;
      }
      ++failed;
      EXPECT_EQ(outcome.code, 1) << where << outcome.errors;
      EXPECT_NE(outcome.errors.find("not enough memory"), std::string::npos) << where << outcome.errors;
      EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << where << outcome.errors;
      EXPECT_EQ(test::files_in(folder_.path()), done > 0 ? 1u : 0u) << where;
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(done, 0);
}

TEST_F(MemoryLimit, IsComparedWithWhatAFlowWillTakeAndTheFlagThatFitsIsNamed) {
  const std::string solve =
      "solve blocks:blocks=150,size=1000,inside=0.002,across=0 --split 'per-class 5,5' --time 1 --threads 1";
  const Outcome refused = with_limit(320, solve);
  EXPECT_EQ(refused.code, 1);
  const std::string flag = "with --memory ";
  const std::size_t place = refused.errors.find(flag);
  ASSERT_NE(place, std::string::npos) << refused.errors;
  const int megabytes = std::stoi(refused.errors.substr(place + flag.size()));
  const Outcome done = with_limit(320, solve + " --memory " + std::to_string(megabytes));
  EXPECT_EQ(done.code, 0) << done.errors;
  const Outcome large = run_program(solve);
  EXPECT_EQ(large.output.substr(large.output.find("accuracy")),
            done.output.substr(done.output.find("accuracy")));
}

TEST_F(MemoryLimit, IsComparedWithWhatManyTimesWillTakeAndTheFlagThatFitsIsNamed) {
  const std::string sweep =
      "sweep blocks:blocks=150,size=300,inside=0.01,across=0 --split 'per-class 5,5' --time 0.1:5:log8 "
      "--threads 1";
  const Outcome refused = with_limit(260, sweep);
  EXPECT_EQ(refused.code, 1);
  const std::string flag = "with --memory ";
  const std::size_t place = refused.errors.find(flag);
  ASSERT_NE(place, std::string::npos) << refused.errors;
  EXPECT_NE(refused.errors.find("fewer times"), std::string::npos) << refused.errors;
  const int megabytes = std::stoi(refused.errors.substr(place + flag.size()));
  const Outcome done = with_limit(260, sweep + " --memory " + std::to_string(megabytes));
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_NE(refusal(sweep + " --memory 41").find("holds all classes at once"), std::string::npos);
}

// krylov may hold 68 states of 17 MB and here holds few of them.
TEST_F(MemoryLimit, IsNotNeededToBeToldOfAGigabyteBeforeTheFlowStarts) {
  const std::string solve =
      "solve blocks:blocks=150,size=200,inside=0.02,across=0 --split 'per-class 5,5' --time 0.01 --solver "
      "krylov";
  const Outcome told = run_program(solve);
  EXPECT_EQ(told.code, 0);
  EXPECT_EQ(told.errors.find("note: the flow takes about 1.16 GB of memory beside the graph; "), 0u)
      << told.errors;
  EXPECT_NE(told.errors.find(" GB are free\n"), std::string::npos) << told.errors;
  const Outcome less = run_program(solve + " --memory 900");
  EXPECT_EQ(less.code, 0);
  EXPECT_EQ(less.errors, "");
}

TEST_F(MemoryLimit, IsAPositiveNumberOfBytes) {
  for (const char* wrong : {"-5", "9000000000000000000", "8796093022208"}) {
    for (const char* command : {"solve", "sweep"}) {
      EXPECT_NE(refusal(std::string(command) + " karate --split 'per-class 2,3' --memory " + wrong)
                    .find("--memory " + std::string(wrong) + ": it must be"),
                std::string::npos);
    }
  }
}

TEST_F(MemoryLimit, IsNotUsedUpByThreadsHoweverManyAreAskedFor) {
  const std::string train = "train karate --set epochs=3 ";
  ASSERT_EQ(run_program(train + "--threads 1 -o " + file("one.hf")).code, 0);
  for (const char* threads : {"200", "550", "4096"}) {
    for (const int megabytes : {150, 400, 1500, 4000, 400'000}) {
      const Outcome many = with_limit(megabytes, train + "--threads " + threads + " -o " + file("many.hf"));
      EXPECT_EQ(many.code, 0) << threads << " threads, " << megabytes << " MB: " << many.errors;
      EXPECT_EQ(many.errors, "") << threads;
      EXPECT_EQ(test::file_text(path("one.hf")), test::file_text(path("many.hf"))) << threads;
    }
  }
}

TEST_F(MemoryLimit, IsNotNeededForTheSameAnswerFromHundredsOfThreads) {
  const std::string train = "train karate --set epochs=3 ";
  ASSERT_EQ(run_program(train + "--threads 1 -o " + file("one.hf")).code, 0);
  const Outcome many = run_program(train + "--threads 550 -o " + file("many.hf"));
  EXPECT_EQ(many.code, 0);
  EXPECT_EQ(many.errors, "");
  EXPECT_EQ(test::file_text(path("one.hf")), test::file_text(path("many.hf")));
}

TEST_F(MemoryLimit, MakesNoDifferenceToWhatIsFound) {
  ASSERT_EQ(run_program("train karate --set epochs=20 -o " + file("a.hf")).code, 0);
  ASSERT_EQ(with_limit(1500, "train karate --set epochs=20 -o " + file("b.hf")).code, 0);
  EXPECT_EQ(test::file_text(path("a.hf")), test::file_text(path("b.hf")));
}

}  // namespace
}  // namespace heatfront
