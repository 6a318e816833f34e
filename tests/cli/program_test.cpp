// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "heatfront/base/config.h"
#include "support/environment.h"
#include "support/program.h"

namespace heatfront {
namespace {

using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

TEST(Program, TellsItsVersion) {
  const Outcome outcome = run_program("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, HEATFRONT_VERSION "\n");
}

constexpr std::array kCommands = {"solve",   "sweep",   "models",   "train",    "search",  "reproduce",
                                  "compare", "predict", "evaluate", "label",    "explain", "info",
                                  "convert", "graph",   "split",    "datasets", "fetch"};

TEST(Program, ShowsAnExampleInTheHelpOfEveryCommand) {
  for (const char* command : kCommands) {
    const Outcome outcome = run_program(std::string(command) + " --help");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.output.find(std::string("Example:\n  heatfront ") + command), std::string::npos)
        << command;
    EXPECT_NE(outcome.output.find("--json"), std::string::npos) << command;
  }
}

TEST(Program, HasHelpThatFitsATerminal) {
  for (const char* command : kCommands) {
    std::istringstream help(run_program(std::string(command) + " --help").output);
    for (std::string line; std::getline(help, line);) EXPECT_LE(line.size(), 100u) << command << ": " << line;
  }
}

TEST(Program, EndsWithTwoAndOneLineWhenAskedWrongly) {
  for (const char* arguments : {"", "inof karate", "info", "info karate --nosuch", "graph digits -k x",
                                "info karate --threads 0", "split karate --seed minus"}) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << arguments << ": " << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }
}

TEST(Program, RepeatsUnknownFlagsAsTheyWereGiven) {
  EXPECT_EQ(run_program("train karate --epochs 10").errors,
            "heatfront train: not expected: --epochs 10; see `heatfront train --help`\n");
}

TEST(Program, TakesItsCommonFlagsBeforeTheCommandToo) {
  EXPECT_EQ(run_program("--json --threads 2 info karate").output, run_program("info karate --json").output);
  EXPECT_EQ(run_program("--threads 0 info karate").code, 2);
  EXPECT_EQ(run_program("--json").code, 2);
  EXPECT_TRUE(
      run_program("--threads 2 --json inof karate").errors.starts_with("heatfront: unknown command 'inof'"));
}

TEST(Program, NamesTheCommandsThatThereAre) {
  EXPECT_EQ(
      run_program("solv karate").errors,
      "heatfront: unknown command 'solv'; there are: solve, sweep, models, train, search, reproduce, "
      "compare, predict, evaluate, label, explain, info, convert, graph, split, datasets, fetch, bench\n");
}

TEST(Program, TellsWhatItLeftOutWhileReading) {
  const TemporaryFolder folder;
  folder.write("d/edges.csv", "source,target,wieght\na,b,1\nb,c,2\n");
  folder.write("d/labels.csv", "a,x\nc,y\n");
  EXPECT_NE(run_program("solve '" + (folder / "d").string() + "'").errors.find("wieght"), std::string::npos);
}

TEST(Program, TakesTheThreadsFromTheEnvironment) {
  EXPECT_EQ(run_program("info karate").code, 0);
  const test::EnvironmentVariable wrong("HEATFRONT_THREADS", "none");
  const Outcome refused = run_program("info karate");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.errors,
            "heatfront info: HEATFRONT_THREADS=none: it must be a number from 1 to 4096; see `heatfront info "
            "--help`\n");
  EXPECT_NE(run_program("info karate --threads x").errors.find("--threads: Value x"), std::string::npos);
  EXPECT_EQ(run_program("info karate --threads 2").code, 0) << "the flag has the last word";
  const test::EnvironmentVariable right("HEATFRONT_THREADS", "3");
  EXPECT_EQ(run_program("info karate").code, 0);
}

}  // namespace
}  // namespace heatfront
