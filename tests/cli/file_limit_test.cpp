// SPDX-License-Identifier: MIT
// Files that must not grow (ulimit -f) and files without an end: one line, and nothing is left.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "heatfront_io/formats/model_file.h"
#include "support/program_fixture.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

using test::Outcome;
using test::run_program;

class FileLimit : public test::ProgramFixture {
 protected:
  FileLimit() { write_model(test::karate_model(), folder_ / "m.hf"); }
};

TEST_F(FileLimit, OfSizeEndsInOneLineAndLeavesNothing) {
  const std::string model = file("m.hf"), out = file("out"), npz = file("out.npz");
  const std::size_t before = test::files_in(folder_.path());
  for (const std::string& command :
       {"convert digits " + npz, "convert digits " + out, "graph digits -o " + out, "split digits -o " + out,
        "solve karate --time 1 -o " + out, "solve karate --predictions " + out,
        "sweep karate --split 'per-class 3,5' -o " + out,
        "sweep karate --split 'per-class 3,5' --plot " + out, "predict " + model + " -o " + out,
        "label " + model + " --set 9=0 -o " + out, "evaluate " + model + " --report " + out,
        "evaluate " + model + " --sets " + out, "train karate --set epochs=30 -o " + out,
        "train karate --set epochs=30 --history " + out}) {
    const Outcome outcome = run_program(command, "ulimit -f 1;");
    EXPECT_EQ(outcome.code, 1) << command << outcome.errors;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << command << outcome.errors;
    EXPECT_NE(outcome.errors.find("cannot be written: File too large"), std::string::npos)
        << command << outcome.errors;
    EXPECT_EQ(test::files_in(folder_.path()), before) << command;
  }
}

TEST_F(FileLimit, OfSizeHoldsForStandardOutputToo) {
  const Outcome outcome = run_program("models", "ulimit -f 1;");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.errors, "heatfront: standard output cannot be written: File too large\n");
}

// Every argument that is a file, of every command.
TEST_F(FileLimit, IsNotNeededForDevicesWhichAreRefusedNorForPipesThatNobodyWritesTo) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string model = file("m.hf");
  for (const std::string& endless : {std::string("/dev/zero"), std::string("/dev/urandom"), path("pipe")}) {
    const auto npz = folder_ / "x.npz", csv = folder_ / "x.csv", mtx = folder_ / "x.mtx",
               edges = folder_ / "d/edges.csv";
    std::filesystem::create_directories(folder_ / "d");
    for (const auto& link : {npz, csv, mtx, edges}) std::filesystem::create_symlink(endless, link);
    for (const std::string& command : {"info " + file("x.npz"),
                                       "info " + file("x.csv"),
                                       "info " + file("x.mtx"),
                                       "info " + file("d"),
                                       "info edges=" + endless,
                                       "info features=" + endless,
                                       "convert " + file("x.npz") + " " + file("o.npz"),
                                       "graph " + file("x.npz"),
                                       "split " + file("x.csv"),
                                       "split karate --split " + endless,
                                       "solve karate --front " + endless,
                                       "solve karate --known " + endless,
                                       "solve karate --class-prior " + endless,
                                       "solve karate --split " + endless,
                                       "sweep karate --front " + endless,
                                       "sweep karate --known " + endless,
                                       "train karate --preset " + endless,
                                       "train karate --split " + endless,
                                       "search karate --space " + endless,
                                       "search karate --preset " + endless,
                                       "search karate --record " + endless,
                                       "compare karate --split " + endless,
                                       "compare karate --models 'gcn preset=" + endless + ", gcn'",
                                       "predict " + endless,
                                       "predict " + model + " --data edges=" + endless,
                                       "evaluate " + endless,
                                       "explain " + endless + " 3",
                                       "label " + endless + " --set 9=0",
                                       "label " + model + " --labels " + endless}) {
      const std::string line = refusal(command);
      const bool device =
          line.find(" is a device, which may have no end; a file is needed here") != std::string::npos;
      EXPECT_EQ(device, endless.starts_with("/dev/")) << command << "\n" << line;
    }
    EXPECT_NE(refusal("info " + endless).find("not of a known format"), std::string::npos);
    for (const auto& link : {npz, csv, mtx, edges}) std::filesystem::remove(link);
  }
}

TEST_F(FileLimit, LeavesPipesThatSomebodyWritesToAsGoodAsFiles) {
  const std::string labels = "node,label\n0,Mr. Hi\n33,Officer\n";
  folder_.write("known.csv", labels);
  const std::string known = file("known.csv");
  const auto solved = [&](const std::string& from, const std::string& before) {
    return run_program("solve karate --json --predictions " + file("p.csv") + " --known " + from, before);
  };
  const Outcome by_file = solved(known, "");
  ASSERT_EQ(by_file.code, 0) << by_file.errors;
  const std::string answers = test::file_text(folder_ / "p.csv");
  const Outcome by_pipe = solved("/dev/fd/3", "cat " + known + " | 3<&0");
  ASSERT_EQ(by_pipe.code, 0) << by_pipe.errors;
  EXPECT_EQ(test::file_text(folder_ / "p.csv"), answers);
}

}  // namespace
}  // namespace heatfront
