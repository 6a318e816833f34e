// SPDX-License-Identifier: MIT
#include "heatfront_io/files/input_file.h"

#include <gtest/gtest.h>

#include "support/error_text.h"
#include "support/gzip.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

TEST(InputFile, IsReadPlainAndPacked) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(read_bytes(folder.write("plain", "a\nb\n"), 4), "a\nb\n");
  EXPECT_EQ(read_bytes(folder.write("packed", test::gzipped("a\n") + test::gzipped("b\n"))), "a\nb\n");
}

TEST(InputFile, ThatDoesNotFitIntoMemoryIsRefused) {
  const test::TemporaryFolder folder;
  const auto error = [](const std::filesystem::path& path) {
    return test::error_text([&] { read_bytes(path, 100'000); });
  };
  const auto plain = folder.write("plain", std::string(100'001, 'x'));
  EXPECT_EQ(error(plain), plain.string() + ": more than 100000 bytes, half of the memory there is");
  EXPECT_EQ(error("/dev/zero"), "/dev/zero is a device, which may have no end; a file is needed here");
  const auto bomb = folder.write("bomb", test::gzipped(std::string(10'000'000, 'x')));
  EXPECT_LT(std::filesystem::file_size(bomb), 100'000u);
  EXPECT_EQ(error(bomb), bomb.string() + ": unpacks to more than 100000 bytes, half of the memory there is");
}

TEST(InputFile, ThatStandsForAnotherIsNoData) {
  const test::TemporaryFolder folder;
  const auto pointer = folder.write("x.npy", "version https://git-lfs.github.com/spec/v1\n");
  EXPECT_NE(test::error_text([&] { read_data(pointer); }).find("is a git-lfs pointer"), std::string::npos);
  EXPECT_EQ(read_data(folder.write("y", "version 1\n")), "version 1\n");
  EXPECT_EQ(read_bytes(pointer).size(), 43u) << "bytes are whatever they are";
}

TEST(InputFile, MayTakeHalfOfTheMemory) { EXPECT_GT(most_bytes(), std::uint64_t{1} << 26); }

}  // namespace
}  // namespace heatfront
