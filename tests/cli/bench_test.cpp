// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/program_fixture.h"

namespace heatfront {
namespace {

using test::file_text;
using test::run_program;

class Bench : public test::ProgramFixture {};

// OpenBLAS adds up in an order that depends on the processor, and the C library has other mathematics where there is no
// fused multiply-add: all that has AVX2 and FMA gives these bits. Where a change of what is computed is meant, this
// writes the new ones: OPENBLAS_CORETYPE=HASWELL heatfront bench --signature >tests/files/signature.txt
TEST_F(Bench, SignsTheSameAnswersForAnyNumberOfThreads) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "SKIPPED: needs a processor with AVX2 and FMA";
  const std::string pinned = file_text(std::filesystem::path(HEATFRONT_TEST_FILES) / "signature.txt");
  for (const char* threads : {"1", "2", "3", "8"}) {
    const test::Outcome outcome =
        run_program(std::string("bench --signature --threads ") + threads, "env OPENBLAS_CORETYPE=HASWELL");
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, pinned) << threads << " threads";
  }
}

TEST_F(Bench, TimesTheSameCommandsThatUsersRun) {
  const nlohmann::json times = json_of("bench --threads 2");
  EXPECT_EQ(times["threads"], 2);
  for (const nlohmann::json& race : times["races"]) EXPECT_GT(race["seconds"], 0) << race.dump();
  EXPECT_EQ(times["races"][0]["command"],
            "heatfront solve blocks:size=30000,inside=4e-4,across=5e-5 --split \"percent 1,1\" --time 5");
}

}  // namespace
}  // namespace heatfront
