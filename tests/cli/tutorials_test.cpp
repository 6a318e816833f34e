// SPDX-License-Identifier: MIT
// Every command that the tutorials show works, one after the other.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "support/program_fixture.h"

namespace heatfront {
namespace {

constexpr std::string_view kPrompt = "$ heatfront ";

class Tutorials : public test::ProgramFixture, public testing::WithParamInterface<const char*> {};

TEST_P(Tutorials, ShowCommandsThatWork) {
  std::istringstream page(
      test::file_text(std::filesystem::path(HEATFRONT_TUTORIALS) / (std::string(GetParam()) + ".md")));
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with(kPrompt)) continue;
    ++commands;
    const test::Outcome outcome =
        test::run_program(line.substr(kPrompt.size()), "cd '" + folder_.path().string() + "' &&");
    EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.errors;
  }
  EXPECT_GT(commands, 3);
}

INSTANTIATE_TEST_SUITE_P(Jobs, Tutorials,
                         testing::Values("fraud", "papers", "houses", "members", "suppliers", "letters"),
                         [](const auto& job) { return std::string(job.param); });

}  // namespace
}  // namespace heatfront
