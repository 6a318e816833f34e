// SPDX-License-Identifier: MIT
// What tests of the program share: a folder, and what it says for machines or in refusal.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.h"

namespace heatfront::test {

inline nlohmann::json json_of(const std::string& arguments) {
  const Outcome outcome = run_program(arguments + " --json");
  EXPECT_EQ(outcome.code, 0) << arguments << ": " << outcome.errors;
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

class ProgramFixture : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string file(const std::string& name) const { return "'" + path(name) + "'"; }  // for a shell

  static nlohmann::json json_of(const std::string& arguments) { return test::json_of(arguments); }

  // The one line that it says to this.
  static std::string refusal(const std::string& arguments) {
    const Outcome outcome = run_program(arguments, kGuard);
    EXPECT_EQ(outcome.code, 1) << arguments << ": " << outcome.errors;
    EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    return outcome.errors;
  }

  TemporaryFolder folder_;
};

}  // namespace heatfront::test
