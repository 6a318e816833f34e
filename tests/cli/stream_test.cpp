// SPDX-License-Identifier: MIT
// The three streams of the program when they are full, closed or cut off, and the signals that ask it to end.
#include <gtest/gtest.h>

#include "support/program_fixture.h"
#include "support/running_program.h"

namespace heatfront {
namespace {

using test::file_text;
using test::Outcome;
using test::run_program;

class Streams : public test::ProgramFixture {
 protected:
  // What a shell makes of this; $H is the program.
  Outcome shell(const std::string& script) const {
    folder_.write("script", "H='" HEATFRONT_PROGRAM "'\ncd '" + folder_.path().string() + "'\n" + script);
    const std::string command =
        "bash '" + path("script") + "' >'" + path("out") + "' 2>'" + path("err") + "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(path("out")), file_text(path("err"))};
  }
};

TEST_F(Streams, AFullStandardOutputIsToldAndFails) {
  for (const char* arguments : {"info karate", "info karate --json", "--help", "train --help", "--version"}) {
    const Outcome outcome = shell(std::string("\"$H\" ") + arguments + " >/dev/full");
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_EQ(outcome.errors, "heatfront: standard output cannot be written: No space left on device\n")
        << arguments;
  }
}

TEST_F(Streams, AClosedStandardOutputIsToldAndNoFileTakesItsPlace) {
  ASSERT_EQ(shell("\"$H\" convert karate whole.npz").code, 0);
  const Outcome outcome = shell("\"$H\" convert karate closed.npz >&-");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.errors, "heatfront: standard output cannot be written: Bad file descriptor\n");
  EXPECT_EQ(file_text(path("closed.npz")), file_text(path("whole.npz")));
  EXPECT_EQ(shell("\"$H\" convert karate all.npz <&- >&- 2>&-").code, 1);
  EXPECT_EQ(file_text(path("all.npz")), file_text(path("whole.npz")));
}

TEST_F(Streams, StandardErrorMayBeFullOrClosed) {
  for (const char* where : {"2>/dev/full", "2>&-"}) {
    EXPECT_EQ(shell(std::string("\"$H\" info nothing ") + where).code, 1) << where;
    EXPECT_EQ(shell(std::string("\"$H\" nothing ") + where).code, 2) << where;
    EXPECT_EQ(shell(std::string("\"$H\" info --nothing ") + where).code, 2) << where;
    EXPECT_EQ(shell(std::string("\"$H\" train karate --set epochs=1 ") + where).code, 0) << where;
  }
}

// On a terminal, where progress is drawn over itself.
TEST_F(Streams, NoProgressIsLeftInFrontOfTheAnswer) {
  if (shell("script --version").code != 0) GTEST_SKIP() << "SKIPPED: needs script (bsdutils)";
  const Outcome outcome = shell(
      "script -qec \"'$H' compare karate --choose presets --models 'gcn epochs=300 patience=0, heat-front "
      "epochs=300 "
      "patience=0' "
      "--split 'per-class 4,6' --runs 4\" /dev/null");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const std::string clear = "\r\x1b[K";
  const std::size_t last = outcome.output.rfind(clear);
  ASSERT_NE(last, std::string::npos) << outcome.output;
  EXPECT_TRUE(outcome.output.substr(last + clear.size()).starts_with("model")) << outcome.output;
}

TEST_F(Streams, ProgressIsNoWiderThanTheTerminal) {
  if (shell("script --version").code != 0) GTEST_SKIP() << "SKIPPED: needs script (bsdutils)";
  const Outcome outcome =
      shell("script -qec \"stty cols 40; '$H' train karate --set epochs=5000 --set patience=0\" /dev/null");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  const std::string clear = "\r\x1b[K";
  std::size_t lines = 0;
  for (std::size_t at = outcome.output.find(clear); at != std::string::npos; ++lines) {
    const std::size_t begin = at + clear.size();
    at = outcome.output.find(clear, begin);
    if (at == std::string::npos) break;
    EXPECT_TRUE(outcome.output.substr(begin).starts_with("training: ")) << outcome.output;
    EXPECT_LT(at - begin, 40u) << outcome.output.substr(begin, at - begin);
  }
  EXPECT_GT(lines, 0u) << outcome.output;
}

TEST_F(Streams, AReaderThatGoesEndsItTheUsualWay) {
  const Outcome outcome = shell("exec 3> >(exec true)\nwait $!\n\"$H\" info karate >&3");
  EXPECT_EQ(outcome.code, 128 + SIGPIPE);
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(Streams, BeingAskedToEndKeepsTheBestSoFar) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Outcome outcome = test::interrupted(
        "train karate --set epochs=100000000 --set patience=0 --json -o " + file("m.hf"), signal);
    EXPECT_EQ(outcome.code, 0) << signal << outcome.errors;
    EXPECT_NE(outcome.output.find("\"interrupted\": true"), std::string::npos) << signal;
    EXPECT_EQ(run_program("predict " + file("m.hf")).code, 0);
  }
}

TEST_F(Streams, WhatItWasStartedToIgnoreItIgnores) {
  test::RunningProgram program("train karate --set epochs=3000 --set patience=0 --json", "trap '' HUP");
  ASSERT_TRUE(program.wait_until_it_catches(SIGTERM));
  program.signal(SIGHUP);
  const Outcome outcome = program.end();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.output.find("\"interrupted\": false"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace heatfront
