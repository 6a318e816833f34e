// SPDX-License-Identifier: MIT
// Every command that writes, while calls to the system fail (support/faults.cpp): the first such call, the second …, some
// of them where there are many, all with HEATFRONT_FAULTS=all. After each: what was there is there or whole and new,
// nothing else is, and one line says what and where.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "support/http_server.h"
#include "support/program_fixture.h"
#include "support/public_data.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
using test::file_text;
using test::Outcome;
using test::run_program;

using Tree =
    std::map<std::string, std::string>;  // files by their place, with what is in them; folders end in /

Tree tree_of(const fs::path& folder) {
  Tree tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    entry.is_directory() ? tree[name + "/"] = "" : tree[name] = file_text(entry.path());
  }
  return tree;
}

void restore(const fs::path& folder, const Tree& tree) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const auto& [name, text] : tree) {
    fs::create_directories((folder / name).parent_path());
    if (!name.ends_with('/')) std::ofstream(folder / name, std::ios::binary) << text;
  }
}

// All of the first, then ever fewer.
long after(long n) {
  const char* wanted = std::getenv("HEATFRONT_FAULTS");
  return n + (wanted != nullptr && std::string(wanted) == "all" ? 1 : std::max(1L, n / 2));
}

struct Fault {
  Outcome outcome;
  std::string calls;  // that failed, a line each
};

class Faults : public test::ProgramFixture {
 protected:
  Faults() {
    fs::create_directories(work_);
    const std::string npz = place("k.npz");
    EXPECT_EQ(run_program("convert karate " + npz).code, 0);
    EXPECT_EQ(run_program("train " + npz + " --set epochs=2 -o " + place("m.hf")).code, 0);
    write("p.csv", "node,x,y\na,0,1\nb,1,1\nc,2,5\nd,2,4\ne,0,0\n");
  }

  std::string place(const std::string& name) const { return (work_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(work_ / name, std::ios::binary) << text;
  }

  Fault run_with(const std::string& fault, const std::string& command) const {
    const fs::path log = folder_ / "log";
    fs::remove(log);
    const std::string before = "env LD_PRELOAD='" HEATFRONT_FAULTS_LIBRARY "' HEATFRONT_FAULT=" + fault +
                               " HEATFRONT_FAULT_FOLDER='" + work_.string() + "' HEATFRONT_FAULT_LOG='" +
                               log.string() + "' " + environment_ + " " + test::kGuard;
    Fault result{run_program(command, before), ""};
    result.calls = file_text(log);
    return result;
  }

  // One line that says what and where, without the names of C++'s own parts.
  void expect_told(const Outcome& outcome) const {
    std::string line = outcome.errors;
    while (line.starts_with("note: ")) line.erase(0, line.find('\n') + 1);
    EXPECT_EQ(std::ranges::count(line, '\n'), 1) << line;
    EXPECT_TRUE(line.starts_with("heatfront: ")) << line;
    EXPECT_NE(line.find(work_.string()), std::string::npos) << line;
    for (const char* own : {"filesystem error", "basic_", "iostream", "std::"})
      EXPECT_EQ(line.find(own), std::string::npos) << line;
    EXPECT_EQ(outcome.output, "");
  }

  // check(outcome) once for each fault of this kind.
  template <class Check>
  void for_each_fault(const std::string& kind, const std::string& command, const Check& check) {
    const Tree before = tree_of(work_);
    int met = 0;
    for (long n = 1;; n = after(n)) {
      restore(work_, before);
      const Fault fault = run_with(kind + ":" + std::to_string(n), command);
      const bool happened = !fault.calls.empty();
      SCOPED_TRACE(command + ", " + kind + " " + std::to_string(n) + ": " + fault.calls +
                   fault.outcome.errors);
      if (!happened) {
        EXPECT_EQ(fault.outcome.code, 0);
        break;
      }
      ++met;
      if (fault.outcome.code != 0) {
        EXPECT_EQ(fault.outcome.code, 1);
        expect_told(fault.outcome);
      }
      check(before, fault.outcome.code);
      if (HasFailure()) break;
    }
    restore(work_, before);
    EXPECT_TRUE(met > 0 || kind == "full") << command << ": no call of it was met";
  }

  // For commands whose files are the same bytes each time.
  void expect_old_or_new(const std::string& command) {
    const Tree before = tree_of(work_);
    ASSERT_EQ(run_program(command, environment_).code, 0) << command;
    const Tree whole = tree_of(work_);
    restore(work_, before);
    const auto check = [&](const Tree& old, int code) {
      const Tree now = tree_of(work_);
      EXPECT_TRUE(code != 0 || now == whole);
      for (const auto& [name, text] : old) EXPECT_TRUE(now.contains(name)) << name << " is lost";
      for (const auto& [name, text] : now) {
        const bool is_old = old.contains(name) && old.at(name) == text;
        const bool is_new = whole.contains(name) && whole.at(name) == text;
        EXPECT_TRUE(is_old || is_new) << name << " is neither as before nor as it should be";
      }
    };
    for_each_fault("nth", command, check);
    for_each_fault("full", command, check);
    restore(work_, before);
    const Fault cut = run_with("short", command);
    EXPECT_EQ(cut.outcome.code, 0) << command << ": " << cut.outcome.errors;
    EXPECT_TRUE(tree_of(work_) == whole) << command << ": short reads and writes make a difference";
    restore(work_, before);
  }

  // For commands that keep a record and go on with it.
  void expect_goes_on(const std::string& command, const std::string& record) {
    const Tree before = tree_of(work_);
    ASSERT_EQ(run_program(command, environment_).code, 0) << command;
    const Tree whole = tree_of(work_);
    restore(work_, before);
    const auto check = [&](const Tree&, int) {
      for (const auto& [name, text] : tree_of(work_))
        EXPECT_TRUE(whole.contains(name)) << name << " is left behind";
      const std::string text = file_text(work_ / record);
      EXPECT_TRUE(text.empty() || text.ends_with('\n')) << "a torn line is left";
      const Outcome again = run_program(command, environment_);
      EXPECT_EQ(again.code, 0) << again.errors;
      EXPECT_TRUE(file_text(work_ / record).starts_with(text));
      EXPECT_EQ(std::ranges::count(file_text(work_ / record), '\n'),
                std::ranges::count(whole.at(record), '\n'));
      const Tree now = tree_of(work_);
      for (const auto& [name, content] : whole) EXPECT_TRUE(now.contains(name)) << name << " is missing";
    };
    for_each_fault("nth", command, check);
    for_each_fault("full", command, check);
  }

  const fs::path work_ = folder_ / "work";
  std::string environment_ = "env HEATFRONT_THREADS=1 SOURCE_DATE_EPOCH=1700000000";
};

TEST_F(Faults, Convert) {
  EXPECT_EQ(run_program("convert digits " + place("out.npz")).code, 0);
  expect_old_or_new("convert " + place("k.npz") + " " + place("out.npz"));
  expect_old_or_new("convert " + place("k.npz") + " " + place("csv"));
}

TEST_F(Faults, Graph) {
  expect_old_or_new("graph features=" + place("p.csv") + " -k 2 -o " + place("g.npz"));
}

TEST_F(Faults, Split) {
  expect_old_or_new("split " + place("k.npz") + " --split \"per-class 3,5\" -o " + place("s.npz"));
}

TEST_F(Faults, Solve) {
  write("p2.csv", "node,class,confidence,margin,status\nold\n");
  expect_old_or_new("solve " + place("k.npz") + " -o " + place("t.npz") + " --predictions " +
                    place("p2.csv"));
}

TEST_F(Faults, Sweep) {
  expect_old_or_new("sweep " + place("k.npz") + " --split \"per-class 3,5\" -o " + place("c.csv") +
                    " --plot " + place("c.svg"));
}

TEST_F(Faults, Train) {
  expect_old_or_new("train " + place("k.npz") + " --set epochs=3 -o " + place("m.hf") + " --history " +
                    place("h.csv"));
}

TEST_F(Faults, Label) { expect_old_or_new("label " + place("m.hf") + " --set 20=0 -o " + place("m.hf")); }

TEST_F(Faults, Predict) { expect_old_or_new("predict " + place("m.hf") + " -o " + place("y.csv")); }

TEST_F(Faults, Evaluate) {
  expect_old_or_new("evaluate " + place("m.hf") + " --report " + place("r.html") + " --sets " +
                    place("s.csv"));
}

TEST_F(Faults, Explain) { expect_old_or_new("explain " + place("m.hf") + " 20"); }

TEST_F(Faults, Search) {
  expect_goes_on("search " + place("k.npz") +
                     " --model gcn --trials 2 --seeds 0-1 --set epochs=2 --set features=neighbourhood "
                     "--split \"per-class 4,6\" -o " +
                     place("b.preset"),
                 "b.record.jsonl");
}

TEST_F(Faults, Compare) {
  expect_goes_on("compare " + place("k.npz") +
                     " --choose presets --models \"gcn epochs=2, label-propagation\" --runs 2 " +
                     "--split \"per-class 4,6\" -o " + place("c"),
                 "c/runs.jsonl");
}

TEST_F(Faults, Reproduce) {
  const fs::path data = test::public_data("county_fb.npz");
  if (data.empty()) GTEST_SKIP() << "SKIPPED: needs county_fb.npz";
  environment_ += " HEATFRONT_DATA='" + data.parent_path().string() + "'";
  expect_goes_on("reproduce table2 --rows 07 --datasets county_fb --runs 1 -o " + place("t"), "t/runs.jsonl");
}

TEST_F(Faults, WithoutThreadsTheSameIsFound) {
  const std::string train = "train " + place("k.npz") + " --set epochs=3 --threads 4 -o ";
  ASSERT_EQ(run_program(train + place("a.hf")).code, 0);
  const Fault fault = run_with("threads", train + place("b.hf"));
  EXPECT_EQ(fault.outcome.code, 0) << fault.outcome.errors;
  EXPECT_EQ(file_text(place("a.hf")), file_text(place("b.hf")));
}

TEST_F(Faults, Fetch) {
  const fs::path data = test::public_data("planetoid/ind.cora.x");
  if (data.empty()) GTEST_SKIP() << "SKIPPED: needs planetoid/ind.cora.x";
  const test::HttpServer server([&](const test::HttpQuery& query) {
    const std::string body = file_text(data.parent_path().parent_path() / query.path.substr(1));
    if (!query.from) return test::HttpReply{.body = body};
    return test::HttpReply{.status = "206 Partial Content", .body = body.substr(*query.from)};
  });
  environment_ += " HEATFRONT_DATA='" + work_.string() + "'";
  const std::string command = "fetch cora --mirror " + server.url();
  ASSERT_EQ(run_program(command, environment_).code, 0);
  const Tree whole = tree_of(work_);
  fs::remove(work_ / "planetoid/ind.cora.y");
  fs::remove(work_ / "planetoid/ind.cora.test.index");
  const auto check = [&](const Tree&, int) {
    for (const auto& [name, text] : tree_of(work_)) {
      EXPECT_TRUE(name.ends_with(".part") || (whole.contains(name) && whole.at(name) == text)) << name;
    }
    EXPECT_EQ(run_program(command, environment_).code, 0);
    EXPECT_TRUE(tree_of(work_) == whole) << "it does not go on";
  };
  for_each_fault("nth", command, check);
  for_each_fault("full", command, check);
}

}  // namespace
}  // namespace heatfront
