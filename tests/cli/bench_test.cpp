// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/precision.h"
#include "support/program_fixture.h"
#include "support/sanitized.h"

namespace heatfront {
namespace {

using test::file_text;
using test::run_program;

class Bench : public test::ProgramFixture {};

// Where a change of what is computed is meant, this writes the new signature: heatfront bench --signature
// >tests/files/signature.txt. The C library has other mathematics where there is no fused multiply-add, and BLIS other kernels:
// all that has AVX2 and FMA gives these bits.
class Signature : public Bench {
 protected:
  void SetUp() override {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
      GTEST_SKIP() << "SKIPPED: needs a processor with AVX2 and FMA";
    if (test::kDouble) GTEST_SKIP() << "SKIPPED: it is of single precision";
  }

  static void expect_pinned(const std::string& threads, const std::string& before = "") {
    const test::Outcome outcome = run_program("bench --signature --threads " + threads, before);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, file_text(std::filesystem::path(HEATFRONT_TEST_FILES) / "signature.txt"))
        << threads << " threads " << before;
  }
};

// BLIS chooses by the processor where it is not told; by its numbers: generic 25, AVX-512 (skx) 0, haswell 3, zen3 6.
TEST_F(Signature, IsTheSameForAnyNumberOfThreadsAndWhicheverProcessorBlisTakesThisOneFor) {
  const auto as_processor = [](const char* number) {
    return std::string("env BLIS_PACK_B=1 BLIS_ARCH_TYPE=") + number;
  };
  expect_pinned("3");
  if (test::kSanitized) return;  // many times as slow there, and the release build compares them all
  expect_pinned("1", as_processor("25"));
  expect_pinned("2", as_processor("0"));
  expect_pinned("8", as_processor("3"));
  expect_pinned("2", as_processor("6"));
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
