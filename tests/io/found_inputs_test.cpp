// SPDX-License-Identifier: MIT
// The feeds of fuzz/ on inputs that are kept: those that are good, and those that once were too much for a reader.
#include <gtest/gtest.h>

#include "fuzz/targets.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;

TEST(Fuzzing, EveryGoodInputIsRead) {
  for (const fuzz::Target& target : fuzz::targets()) {
    const std::vector<std::string> seeds = target.seeds();
    EXPECT_TRUE(target.feed(seeds.at(0))) << target.name;
    for (const std::string& seed : seeds) EXPECT_NO_THROW(target.feed(seed)) << target.name << ": " << seed;
  }
}

TEST(Fuzzing, EveryInputThatFuzzingFoundIsReadOrRefused) {
  for (const auto& folder : fs::directory_iterator(fs::path(HEATFRONT_TEST_FILES) / "found")) {
    const fuzz::Target* const target = fuzz::find_target(folder.path().filename().string());
    ASSERT_NE(target, nullptr) << folder.path();
    for (const auto& file : fs::directory_iterator(folder))
      EXPECT_NO_THROW(target->feed(test::file_text(file.path()))) << file.path();
  }
}

}  // namespace
}  // namespace heatfront
