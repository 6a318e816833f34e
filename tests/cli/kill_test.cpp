// SPDX-License-Identifier: MIT
// Commands that are killed in place of a call to the system, whichever (support/faults.cpp), HEATFRONT_KILLS times each (3 without
// it); between two such calls nothing on disk changes. Nothing that was there is lost,
// nothing is half there, and what goes on ends as if it had never been stopped.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>
#include <tuple>

#include "support/program_fixture.h"
#include "support/public_data.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::file_text;
using test::run_program;
using test::TemporaryFolder;

int rounds() {
  const char* text = std::getenv("HEATFRONT_KILLS");
  return text == nullptr ? 3 : std::atoi(text);
}

class Killed : public test::ProgramFixture {
 protected:
  // To its end; from then on kill() picks one of the calls that it made.
  void run_whole(const std::string& command) {
    const TemporaryFolder log;
    const test::Outcome outcome = run_program(command, with_fault("count", log / "calls"));
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    calls_ = std::ranges::count(file_text(log / "calls"), '\n');
    ASSERT_GT(calls_, 0);
  }

  void kill(const std::string& command) {
    const auto call = std::uniform_int_distribution<std::ptrdiff_t>(1, calls_)(generator_);
    run_program(command, with_fault("kill:" + std::to_string(call), ""));
  }

  // Kills `command`, whose record is this file, and lets it go on, until it was killed often enough; `finished` is asked
  // after each time that it came to its end.
  template <class Finished>
  void kill_and_go_on(const std::string& command, const std::string& record, const Finished& finished) {
    for (int round = 0; round < rounds(); ++round) {
      const std::string before = file_text(path(record));
      kill(command);
      const std::string whole = before.substr(0, before.rfind('\n') + 1);
      ASSERT_EQ(file_text(path(record)).substr(0, whole.size()), whole) << "a run was lost";
      if (round % 4 != 3 && round + 1 != rounds()) continue;
      run_whole(command);
      expect_nothing_unfinished();
      expect_no_run_twice(record);
      finished();
      std::filesystem::remove(path(record));
    }
  }

  // What was killed may leave a file under a passing name; the next that writes the same file removes it.
  void expect_nothing_unfinished() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
      EXPECT_EQ(entry.path().string().find(".unfinished-"), std::string::npos) << entry.path();
  }

  void expect_no_run_twice(const std::string& record) const {
    std::istringstream lines(file_text(path(record)));
    std::set<std::tuple<std::string, std::string, std::string>> met;
    for (std::string line; std::getline(lines, line);) {
      const json run = json::parse(line);
      if (!run.contains("seed")) continue;
      const json of = run.contains("row") ? run["row"] : run["trial"],
                 where = run.contains("row") ? run["dataset"] : run["stage"];
      EXPECT_TRUE(met.emplace(of.dump(), where.dump(), run["seed"].dump()).second) << line;
    }
    EXPECT_FALSE(met.empty());
  }

  // The lines of a CSV file without the last `columns`, which are times.
  std::string without_times(const std::string& name, int columns) const {
    std::istringstream lines(file_text(path(name)));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      for (int i = 0; i < columns; ++i) line.resize(line.rfind(','));
      text += line + "\n";
    }
    return text;
  }

  std::string environment_;

 private:
  std::string with_fault(const std::string& fault, const std::filesystem::path& log) const {
    return "env LD_PRELOAD='" HEATFRONT_FAULTS_LIBRARY "' HEATFRONT_FAULT=" + fault +
           " HEATFRONT_FAULT_FOLDER='" + folder_.path().string() + "' HEATFRONT_FAULT_LOG='" + log.string() +
           "' " + environment_;
  }

  std::ptrdiff_t calls_ = 0;
  std::mt19937 generator_{1};
};

TEST_F(Killed, TrainLeavesAWholeModel) {
  const std::string train = "train karate --set epochs=200 -o " + file("m.hf");
  run_whole("train karate --set epochs=2 -o " + file("m.hf"));
  const std::string before = file_text(path("m.hf"));
  run_whole(train);
  for (int round = 0; round < rounds(); ++round) {
    folder_.write("m.hf", before);
    kill(train);
    EXPECT_EQ(json_of("predict " + file("m.hf"))["known"], 12);
  }
  run_whole(train);
  expect_nothing_unfinished();
}

TEST_F(Killed, LabelLeavesAWholeModel) {
  run_whole("train karate --set epochs=2 -o " + file("m.hf"));
  const std::string before = file_text(path("m.hf"));
  const std::string label = "label " + file("m.hf") + " --set 20=0 -o " + file("m.hf");
  run_whole(label);
  const std::string after = file_text(path("m.hf"));
  ASSERT_TRUE(after != before);
  for (int round = 0; round < rounds(); ++round) {
    folder_.write("m.hf", before);
    kill(label);
    const std::string left = file_text(path("m.hf"));
    EXPECT_TRUE(left == before || left == after) << left.size() << " bytes";
  }
  run_whole(label);
  expect_nothing_unfinished();
}

TEST_F(Killed, SearchLosesNothingAndFindsTheSame) {
  const std::string search =
      "search karate --model gcn --trials 9 --seeds 0-2 --set epochs=100 --set features=neighbourhood "
      "--split \"per-class 4,6\" -o ";
  run_whole(search + file("whole.preset"));
  const std::string whole = file_text(path("whole.preset"));
  kill_and_go_on(search + file("killed.preset"), "killed.record.jsonl",
                 [&] { EXPECT_EQ(file_text(path("killed.preset")), whole); });
}

TEST_F(Killed, CompareLosesNothingAndFindsTheSame) {
  const std::string compare =
      "compare karate --choose presets --models \"gcn epochs=300, heat-front epochs=300\" --split "
      "\"per-class 4,6\" -o ";
  run_whole(compare + file("whole"));
  const std::string whole = without_times("whole/comparison.csv", 1);
  kill_and_go_on(compare + file("killed"), "killed/runs.jsonl",
                 [&] { EXPECT_EQ(without_times("killed/comparison.csv", 1), whole); });
}

// Flows and trainings, and the jobs that rows 07 and 10, and 09 and 11, share.
TEST_F(Killed, ReproduceLosesNothingAndFindsTheSame) {
  const std::filesystem::path data = test::public_data("county_fb.npz");
  if (data.empty()) GTEST_SKIP() << "SKIPPED: needs county_fb.npz";
  environment_ = "env HEATFRONT_DATA='" + data.parent_path().string() + "'";
  const std::string reproduce = "reproduce table2 --rows 07-11 --datasets county_fb --runs 1 -o ";
  run_whole(reproduce + file("whole"));
  const std::string whole = without_times("whole/table.csv", 2);
  kill_and_go_on(reproduce + file("killed"), "killed/runs.jsonl",
                 [&] { EXPECT_EQ(without_times("killed/table.csv", 2), whole); });
}

}  // namespace
}  // namespace heatfront
