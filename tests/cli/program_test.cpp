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

constexpr std::array kCommands = {"solve",      "sweep",   "models",   "train",    "search",  "reproduce",
                                  "compare",    "predict", "evaluate", "label",    "explain", "info",
                                  "convert",    "graph",   "split",    "datasets", "fetch",   "example",
                                  "completion", "manual",  "partition"};

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
  for (const char* arguments :
       {"", "inof karate", "info", "info karate --nosuch", "graph digits -k x", "info karate --threads 0",
        "split karate --seed minus", "info karate --quiet=5"}) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << arguments << ": " << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }
}

TEST(Program, RepeatsUnknownFlagsAsTheyWereGiven) {
  EXPECT_EQ(run_program("train karate --epochs 10").errors,
            "heatfront train: not expected: --epochs 10 (it is a setting of one model: --model NAME --set "
            "epochs=VALUE; "
            "without, `train` chooses by itself); see "
            "`heatfront train "
            "--help`\n");
  EXPECT_EQ(run_program("info karate --jsno").errors,
            "heatfront info: not expected: --jsno (did you mean --json?); see `heatfront info --help`\n");
  EXPECT_EQ(run_program("info karate --wobble").errors,
            "heatfront info: not expected: --wobble; see `heatfront info --help`\n");
}

TEST(Program, SaysInPlainWordsWhatIsWrongWithAFlag) {
  EXPECT_EQ(run_program("split karate --seed abc").errors,
            "heatfront split: --seed: must be a whole number, 0 or more, not 'abc'; see `heatfront split "
            "--help`\n");
  EXPECT_EQ(run_program("solve karate -o").errors,
            "heatfront solve: --output needs a value; see `heatfront solve --help`\n");
  EXPECT_EQ(run_program("info karate --quiet=5").errors,
            "heatfront info: --quiet takes no value; see `heatfront info --help`\n");
  EXPECT_EQ(run_program("info karate --label a --label b").errors,
            "heatfront info: --label is given more than once; give it once; see `heatfront info --help`\n");
  EXPECT_EQ(run_program("compare karate --quick").errors,
            "heatfront compare: not expected: --quick; see `heatfront compare --help`\n");
  EXPECT_NE(run_program("solve karate --lambda 0").errors.find("--lambda: lambda is '0', but must be"),
            std::string::npos);
}

TEST(Program, GivesHelpWhenAskedInAWordToo) {
  EXPECT_EQ(run_program("help").output, run_program("--help").output);
  EXPECT_EQ(run_program("help train").output, run_program("train --help").output);
  EXPECT_EQ(run_program("help train").code, 0);
  EXPECT_NE(run_program("train --help").output.find("\n\nUsage: heatfront train"), std::string::npos);
  EXPECT_NE(run_program("help tarin").errors.find("unknown command 'tarin'"), std::string::npos);
}

TEST(Program, TakesItsCommonFlagsBeforeTheCommandToo) {
  EXPECT_EQ(run_program("--json --threads 2 info karate").output, run_program("info karate --json").output);
  EXPECT_EQ(run_program("--threads 0 info karate").code, 2);
  EXPECT_EQ(run_program("--json").code, 2);
  EXPECT_TRUE(
      run_program("--threads 2 --json inof karate").errors.starts_with("heatfront: unknown command 'inof'"));
}

TEST(Program, NamesTheCommandsThatThereAre) {
  EXPECT_EQ(run_program("solv karate").errors,
            "heatfront: unknown command 'solv' (did you mean 'solve'?); choose from: train, predict, label, "
            "explain, explore, evaluate, "
            "solve, sweep, info, convert, graph, partition, split, datasets, fetch, example, models, "
            "compare, search, "
            "reproduce, "
            "bench, completion, manual\n");
}

TEST(Program, IsQuietWhenAskedTo) {
  const TemporaryFolder folder;
  folder.write("d/edges.csv", "source,target,year\na,b,1\nb,c,2\n");
  folder.write("d/labels.csv", "a,x\nc,y\n");
  EXPECT_NE(run_program("solve '" + (folder / "d").string() + "'").errors, "");
  EXPECT_EQ(run_program("solve -q '" + (folder / "d").string() + "'").errors, "");
  EXPECT_EQ(run_program("-q solve '" + (folder / "d").string() + "'").errors, "");
}

TEST(Program, WritesTablesToStandardOutputAndReadsThemFromStandardInput) {
  const TemporaryFolder folder;
  const auto table = (folder / "p.csv").string();
  const Outcome streamed = run_program("solve karate --split 'per-class 2,3' --predictions -");
  ASSERT_EQ(run_program("solve karate --split 'per-class 2,3' --predictions '" + table + "'").code, 0);
  EXPECT_EQ(streamed.code, 0);
  EXPECT_EQ(streamed.output, test::file_text(table));
  EXPECT_NE(streamed.errors.find("solved"), std::string::npos) << "what is for people goes to standard error";
  EXPECT_EQ(run_program("solve karate --predictions - --json").code, 2);
  const auto edges = folder.write("piped", "source,target\na,b\nb,c\n").string(),
             out = (folder / "out").string();
  const std::string program = std::string("'") + HEATFRONT_PROGRAM + "' ";
  ASSERT_EQ(std::system((program + "info edges=- --json <'" + edges + "' >'" + out + "'").c_str()), 0);
  EXPECT_NE(test::file_text(out).find("\"nodes\": 3"), std::string::npos);
  EXPECT_NE(run_program("info -").errors.find("standard input is empty"), std::string::npos);
}

TEST(Program, CompletesForThreeShellsAndHasAManual) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome outcome = run_program(std::string("completion ") + shell);
    EXPECT_EQ(outcome.code, 0);
    for (const char* word : {"heatfront", "train", "refuse-one-way"})
      EXPECT_NE(outcome.output.find(word), std::string::npos) << shell << ' ' << word;
  }
  EXPECT_EQ(run_program("completion tcsh").code, 1);
  const std::string page = run_program("manual").output;
  EXPECT_TRUE(page.starts_with(".TH HEATFRONT 1"));
  for (const char* part : {".SH HEATFRONT train\n", "\\-\\-learn\\-weights", ".SH EXIT STATUS"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(Program, CompletesTheCommandAfterFlagsThatComeBeforeIt) {
  const TemporaryFolder folder;
  const std::string script = (folder / "script").string(), out = (folder / "out").string();
  folder.write("script", run_program("completion bash").output);
  const auto completed = [&](const std::string& words, int at) {
    const std::string line = "bash -c '. \"" + script + "\"; COMP_WORDS=(heatfront " + words +
                             "); COMP_CWORD=" + std::to_string(at) +
                             "; _heatfront; echo ${COMPREPLY[*]}' >'" + out + "'";
    return std::system(line.c_str()) == 0 ? test::file_text(out) : "the shell failed";
  };
  EXPECT_EQ(completed("tra", 1), "train\n");
  EXPECT_EQ(completed("--json tra", 2), "train\n");
  EXPECT_EQ(completed("-q --threads 2 tra", 4), "train\n");
  EXPECT_EQ(completed("--threads = 2 tra", 4), "train\n") << "as bash splits --threads=2";
  EXPECT_EQ(completed("--json train club --learn", 4), "--learn-weights\n");
}

TEST(Program, SaysWhatTheTimeMeans) {
  EXPECT_NE(run_program("--help").output.find("The time t says how far labels reach"), std::string::npos);
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
  EXPECT_NE(run_program("info karate --threads x")
                .errors.find("--threads: must be a number from 1 to 4096, not 'x'"),
            std::string::npos);
  EXPECT_EQ(run_program("info karate --threads 2").code, 0) << "the flag has the last word";
  const test::EnvironmentVariable right("HEATFRONT_THREADS", "3");
  EXPECT_EQ(run_program("info karate").code, 0);
}

}  // namespace
}  // namespace heatfront
