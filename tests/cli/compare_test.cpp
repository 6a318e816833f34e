// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/program_fixture.h"

namespace heatfront {
namespace {

using test::file_text;
using test::Outcome;
using test::run_program;

using CompareCommand = test::ProgramFixture;

TEST_F(CompareCommand, WritesWhatItFindsAndRunsNothingTwice) {
  const std::string command =
      "compare karate --models \"label-propagation, gcn epochs=2\" --runs 3 --split \"folds 3\" -o " +
      path("c");
  const Outcome first = run_program(command);
  EXPECT_EQ(first.code, 0) << first.errors;
  EXPECT_NE(first.output.find("karate: 3 runs on folds, the same for all models"), std::string::npos)
      << first.output;
  EXPECT_NE(file_text(path("c/comparison.md")).find("| gcn epochs=2 |"), std::string::npos);
  EXPECT_NE(file_text(path("c/comparison.csv")).find("\"label-propagation\",2,\"folds 3 seed 2 ("),
            std::string::npos);
  EXPECT_NE(run_program(command + " --json").output.find("\"runs_before\": 6"), std::string::npos);
}

}  // namespace
}  // namespace heatfront
